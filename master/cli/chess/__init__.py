"""Commands about chess."""
