"""Searches that commands of several games make."""
