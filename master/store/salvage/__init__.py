"""Getting rows out of a damaged database without SQLite, and into a new one."""
