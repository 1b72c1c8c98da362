"""PGN as other programs write it: files cut into games, and texts read as games."""
