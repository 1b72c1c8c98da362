"""Boards of Othello as SVG."""
