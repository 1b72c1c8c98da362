"""The analysis of recorded Othello games: the loss of each move."""
