"""Backgammon beyond its engine: recorded matches, play, rankings, reports."""
