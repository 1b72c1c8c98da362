"""Folding trial results into cumulative results, in sequence order."""
