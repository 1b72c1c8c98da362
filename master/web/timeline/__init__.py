"""Timelines at the web door."""
