"""A game of no moves: trials that cost nothing, or a stated amount of work, for measuring the network."""
