"""Game-tree search: bounds that follow from several results, and searches that pause and continue.

A game supplies rules, keys of 128 bits for its positions, numbers for its moves, words for both.
Each game has its own alpha-beta and order of moves.  The code of a node is compiled into the game:
calls into another module took 5 % longer (othello/node.pxd).

This package works with values, windows and moves as numbers, for any game.
"""
