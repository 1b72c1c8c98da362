"""Searches at the command line."""
