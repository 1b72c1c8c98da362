"""Looks at Othello boards: what a move is worth beside the best one."""
