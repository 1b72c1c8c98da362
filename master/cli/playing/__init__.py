"""Shared parts of the commands that play a game at the terminal."""
