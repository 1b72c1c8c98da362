"""Commands by which other backgammon programs play against the engine."""
