"""A match being played at a terminal: its rules, its record, its board, its dice, and advice."""
