"""The commands about backgammon."""
