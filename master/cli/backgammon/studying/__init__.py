"""What a player learns from many matches: `manyply profile` and `manyply quiz`."""
