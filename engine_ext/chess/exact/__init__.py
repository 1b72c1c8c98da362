"""Chess searched so that a value is a function of the position, its depth and the game before."""
