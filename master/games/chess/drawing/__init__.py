"""Boards of chess as SVG."""
