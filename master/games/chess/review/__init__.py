"""Analysed games of chess as a page."""
