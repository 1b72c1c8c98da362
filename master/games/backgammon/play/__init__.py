"""A match being played at a terminal: its rules, its record, its board, and what people type."""
