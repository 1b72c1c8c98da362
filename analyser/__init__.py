"""The analyser daemon: takes parts, computes them, answers."""
