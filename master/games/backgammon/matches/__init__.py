"""Recorded matches: their files, their replay, their analysis and the figures drawn from it."""
