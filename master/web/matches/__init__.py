"""Matches at the web door: files are handed in, analysed by the fleet, and told of."""
