"""Game engines: pure functions in Cython, without I/O, clock or global random state."""
