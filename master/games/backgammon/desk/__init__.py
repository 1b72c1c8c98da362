"""What backgammon offers to a page: its positions and its matches."""
