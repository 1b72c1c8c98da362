# Games and labels in bulk, for fitting the pattern weights.

from libc.stdint cimport uint64_t
from engine_ext.othello.board cimport Board, LeafSearch, OthelloKernel
from engine_ext.othello.evaluation cimport Evaluate

cdef enum:
    PLIES_MAX = 60
    MOVES_MAX = 34
    INFINITE = 1000000        # above every value
    ORDERED_DEPTH = 3         # from this depth on successors are sorted by their evaluation

# What all functions here need of an evaluation and the rules.
ctypedef struct Judge:
    const OthelloKernel *kernel
    Evaluate evaluate
    const void *weights

# How games are played.
ctypedef struct Manner:
    uint64_t seed
    int random_plies_max      # a game begins with 0 to so many random moves
    int random_one_in         # later one move in so many is random; 0 for none
    int noise                 # added to each move's value, 0 to noise - 1, in the evaluation's unit
