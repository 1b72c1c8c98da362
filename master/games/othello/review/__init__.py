"""Analysed games of Othello as a page."""
