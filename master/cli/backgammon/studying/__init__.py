"""Learning from many matches: `manyply profile` and `manyply quiz`."""
