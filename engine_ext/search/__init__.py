"""Game-tree search: what results prove together, and searches that are left and gone on with.

A game supplies rules, keys of 128 bits for its positions, numbers for its moves, words for both.
How it searches, alpha-beta and the order of moves, stays its own: what happens at a node is
compiled into it, since called in another module it took 5 % longer (othello/node.pxd).

Knows values, windows, moves as numbers.  Must not know any game, nor who searches.
"""
