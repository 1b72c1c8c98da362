"""The backgammon engine."""
