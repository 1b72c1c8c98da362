# Expectimax of a fixed number of moves, with a memo of boards; see expectimax.pyx.

from libc.stdint cimport uint32_t, uint64_t
from engine_ext.control cimport Control, RunControl
from engine_ext.threes.game cimport NextCard
from engine_ext.threes.value cimport NetWeights, ValueNet

cdef enum:
    MEMO_BITS = 16
    PLIES_MAX = 8             # a search of more takes minutes a move

# A value that was found, under its whole question: an empty entry has no such tag.
ctypedef struct MemoEntry:
    uint64_t cells
    uint32_t tag              # bag and moves to look ahead
    double value

ctypedef struct Expectimax:
    const ValueNet *net
    MemoEntry *memo           # [1 << MEMO_BITS]
    Control *control          # NULL: nobody stops it
    uint64_t nodes

# The expected final score of each move, -1 for an illegal one; how many are legal.
cdef int move_values(Expectimax *search, uint64_t cells, int bag, NextCard next, int plies,
                     double *values) noexcept nogil

cdef class Adviser:
    cdef Expectimax search
    cdef NetWeights _weights
    cdef RunControl _control
