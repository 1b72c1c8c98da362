"""Threes!: what knows no terminal."""
