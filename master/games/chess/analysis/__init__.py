"""Recorded games of chess gone through: what each move was worth."""
