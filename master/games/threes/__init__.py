"""Threes! beyond its engine: drawings of boards, and the odds of the next cards."""
