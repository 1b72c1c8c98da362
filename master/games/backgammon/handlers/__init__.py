"""Backgammon on the web page: its positions and its matches."""
