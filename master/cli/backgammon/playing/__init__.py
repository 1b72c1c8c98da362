"""Matches of backgammon at the terminal."""
