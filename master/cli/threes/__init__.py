"""Commands about Threes!."""
