"""The review of an analysed match, move by move, as a page and as text."""
