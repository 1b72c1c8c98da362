# Quantised evaluation nets: integer weights, integer arithmetic, the same bits
# with every instruction set.

from engine_ext.backgammon.board cimport Board

cdef extern from "net_kernel.h" nogil:
    ctypedef struct NetWeights:
        pass

cdef class Net:
    # Owns one net's aligned weights (malloc'ed; freed with the object).
    cdef NetWeights *weights
    cdef readonly str digest      # sha256 hex of the weight file

# Cumulative probabilities (win, win gammon, win backgammon, lose gammon, lose
# backgammon) of the player on roll, side[0], of each board: probs[count][5],
# C-contiguous, exact multiples of 2^-16.
cdef void net_evaluate(const NetWeights *net, const Board *board, double *probs) noexcept nogil
# The same numbers for `count` boards that each differ in a few slots from
# `near` (same point of view as the boards): the first layer is updated, not
# recomputed.
cdef void net_evaluate_many(const NetWeights *net, const Board *near, const Board *boards,
                            int count, double *probs) noexcept nogil
