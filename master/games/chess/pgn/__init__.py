"""PGN of other programs: files are split into games, and texts are read as games."""
