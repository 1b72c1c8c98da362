"""Timelines at the web endpoint."""
