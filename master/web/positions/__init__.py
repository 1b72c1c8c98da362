"""Positions at the web endpoint: reading them, questions about them, and new jobs."""
