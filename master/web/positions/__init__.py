"""Positions at the web door: reading them, questions about them, and new jobs."""
