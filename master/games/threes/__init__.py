"""Threes! beyond its engine: boards as they are drawn, what is known of cards to come."""
