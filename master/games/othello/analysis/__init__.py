"""Recorded games of Othello gone through: what each move gave away."""
