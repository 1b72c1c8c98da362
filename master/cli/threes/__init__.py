"""The commands about Threes!."""
