"""Chess, Chess960 too."""
