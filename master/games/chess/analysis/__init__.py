"""The analysis of recorded chess games: the value of each move."""
