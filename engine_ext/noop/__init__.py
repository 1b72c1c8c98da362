"""A game of no moves: trials of no cost, or of a stated cost, to measure the network with."""
