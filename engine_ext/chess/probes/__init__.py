"""Looks at chess positions: fast searches of a given number of nodes, as questions to analysers."""
