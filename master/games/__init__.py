"""The games, one folder each, and the modules that all of them share."""
