"""How jobs of trials come along: the way of their means, and how their results come in."""
