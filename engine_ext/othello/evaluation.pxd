# What a search asks an evaluation: one integer for a position, a function of the position alone.

from libc.stdint cimport uint64_t
from engine_ext.othello.board cimport Board

# The value for `player`, who is to move; higher is better.  The unit is the evaluation's own,
# its size below 100,000.  Called without the GIL, from several threads at once.
ctypedef int (*Evaluate)(const void *weights, uint64_t player,
                         uint64_t opponent) noexcept nogil

# A board whose successors are evaluated, with what an evaluation knows of all of them beforehand.
cdef extern from *:
    """
    typedef struct {
        uint64_t player, opponent;
        __attribute__((aligned(64))) unsigned char notes[256];
    } MpParent;
    """
    ctypedef struct Parent "MpParent":
        uint64_t player           # who moves
        uint64_t opponent
        unsigned char notes[256]  # the evaluation's own

# Fill in the notes; the board has a move.
ctypedef void (*Prepare)(const void *weights, Parent *parent) noexcept nogil
# The same for the board after a move of before's player to `square`, which turns `flips`: from
# what was there before the move, in less time.
ctypedef void (*PrepareAfter)(const void *weights, const Parent *before, int square,
                              uint64_t flips, Parent *parent) noexcept nogil
# As Evaluate, for the board after the player's move to `square`, which turns `flips`.
ctypedef int (*EvaluateAfter)(const void *weights, const Parent *parent, int square,
                              uint64_t flips) noexcept nogil

ctypedef struct MobilityWeights:
    uint64_t squares
    uint64_t corners
    uint64_t inside           # the squares off the rim

ctypedef struct Lookahead:
    uint64_t squares          # of the board
    uint64_t evaluated        # positions so far

cdef class Evaluation:
    # Owner of the weights: searches keep a reference to it.  A subclass sets them.
    cdef Evaluate evaluate
    # Of successors in less time; NULL, all three: `evaluate` does it.
    cdef Prepare prepare
    cdef PrepareAfter prepare_after
    cdef EvaluateAfter evaluate_after
    cdef const void *weights
    cdef int disc_value       # the value of a lead of one disc; 0 if values are no measure of that
    cdef int _probe(self, const Board *board, const Parent *before, Lookahead *ahead, int plies,
                    int alpha, int beta) noexcept nogil

cdef class MobilityEvaluation(Evaluation):
    cdef MobilityWeights board
