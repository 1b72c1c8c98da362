"""Looks by a user's UCI program instead of our own engine."""
