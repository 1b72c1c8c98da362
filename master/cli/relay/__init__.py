"""`manyply-relay`: a fleet as one analyser of a master above."""
