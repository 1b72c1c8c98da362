"""Commands about who is let in."""
