"""Backgammon at the table of all games."""
