"""Game-tree search: what results prove together, and searches that are left and gone on with.

Knows values, windows, moves as numbers.  Must not know any game, nor who searches.
"""
