"""Looks at chess positions: fast searches of so many nodes, as questions that travel."""
