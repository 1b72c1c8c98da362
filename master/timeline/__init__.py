"""A log of which analyser computed which part, and when, built from schedulers' turns."""
