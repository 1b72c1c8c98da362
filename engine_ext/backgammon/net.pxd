# Quantised evaluation nets: integer weights, integer arithmetic, the same bits
# with every instruction set.

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t
from engine_ext.backgammon.board cimport Board

cdef extern from "net_kernel.h" nogil:
    # Layout, scales and alignment: see net_kernel.h.
    ctypedef struct NetWeights:
        int width
        int16_t *rows
        int16_t *accumulator_bias
        int8_t *hidden1
        int32_t hidden1_bias[32]
        int16_t hidden2[16][32][2]
        int32_t hidden2_bias[32]
        int16_t output[16][8][2]
        int32_t output_bias[8]
        int32_t table[1025]

cdef class Net:
    # Owns one net's aligned weights (freed with the object).
    cdef NetWeights *weights
    cdef readonly str digest      # sha256 hex of the weight file
    cdef readonly int width       # of the first layer

# Cumulative probabilities (win, win gammon, win backgammon, lose gammon, lose
# backgammon) of the player on roll, side[0], of each board: probs[count][5],
# C-contiguous, exact multiples of 2^-16.
cdef void net_evaluate(const NetWeights *net, const Board *board, double *probs) noexcept nogil
# The same numbers for `count` boards that each differ in a few slots from
# `near` (same point of view as the boards): the first layer is updated, not
# recomputed.
cdef void net_evaluate_many(const NetWeights *net, const Board *near, const Board *boards,
                            int count, double *probs) noexcept nogil
