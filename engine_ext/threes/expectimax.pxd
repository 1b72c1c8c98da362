# Expectimax of a fixed number of moves, with a memo of boards; see expectimax.pyx.

from libc.stdint cimport uint32_t, uint64_t
from engine_ext.control cimport Control, RunControl
from engine_ext.threes.depth cimport Depth
from engine_ext.threes.frontier cimport Frontier
from engine_ext.threes.game cimport NextCard
from engine_ext.threes.value cimport NetWeights, ValueNet

cdef enum:
    MEMO_BITS = 16

# A value that was found, under its whole question: an empty entry has no such tag.
ctypedef struct MemoEntry:
    uint64_t cells
    uint32_t tag              # bag, moves to look ahead, rarity
    double value

ctypedef struct Expectimax:
    const ValueNet *net
    MemoEntry *memo           # [1 << MEMO_BITS]
    Control *control          # NULL: nobody stops it
    Frontier *frontier        # NULL: all is searched here
    int frontier_plies        # boards with so many moves to look ahead are left to it
    uint64_t nodes
    uint64_t reported             # nodes that the control has counted as steps

# The expected final score of each move, -1 for an illegal one; how many are legal.
cdef int move_values(Expectimax *search, uint64_t cells, int bag, NextCard next, Depth depth,
                     double *values) noexcept nogil
# The expected final score of a board into which the card has come: A of expectimax.pyx.
cdef double value_behind(Expectimax *search, uint64_t cells, int bag, Depth depth) noexcept nogil

cdef class Adviser:
    cdef Expectimax search
    cdef NetWeights _weights
    cdef RunControl _control
