"""Positions at the web door: what a text says, what is asked about it, jobs that are begun."""
