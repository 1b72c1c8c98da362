"""Othello beyond its engine: searches by a fleet, play, NBoard, reports."""
