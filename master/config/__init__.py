"""The master's settings: paths, fleets, certificates."""
