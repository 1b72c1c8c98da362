"""Backgammon as other programs ask about it: boards and decisions in lines of text."""
