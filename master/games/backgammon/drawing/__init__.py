"""Backgammon boards as drawings."""
