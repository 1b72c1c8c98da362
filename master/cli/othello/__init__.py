"""The commands about Othello."""
