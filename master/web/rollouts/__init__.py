"""Jobs of trials as pictures: their course, how results come in, and the position."""
