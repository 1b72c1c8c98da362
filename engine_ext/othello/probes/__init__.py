"""Looks at Othello boards: a move's value compared with the best move's."""
