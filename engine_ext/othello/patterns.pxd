# The learned evaluation: a sum of weights, one for each pattern on the board.

from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from engine_ext.othello.evaluation cimport Evaluation

cdef extern from "pattern_kernel.h" nogil:
    enum:
        PATTERN_PLACES
        PATTERN_LANES
        PATTERN_WEIGHTS_BEHIND
        PATTERN_KERNELS
    ctypedef struct PatternsBefore:
        const int16_t *weights
        int bias
    bint mp_pattern_place(int place, const int *squares, int count, uint32_t offset)
    void mp_pattern_indices(uint64_t player, uint64_t opponent, uint16_t *indices)
    int mp_pattern_sum(const int16_t *weights, uint64_t player, uint64_t opponent)
    void mp_pattern_prepare(uint64_t player, uint64_t opponent, PatternsBefore *before)
    void mp_pattern_prepare_after(const PatternsBefore *parent, int square, uint64_t flips,
                                  PatternsBefore *before)
    int mp_pattern_sum_after(const PatternsBefore *before, int square, uint64_t flips)
    bint mp_pattern_use(int kernel)
    int mp_pattern_use_quickest()

cdef enum:
    STAGES = 15               # of a game, by the number of empty squares
    STAGE_EMPTIES = 4
    EMPTIES_MAX = 60
    VALUE_MAX = 6399          # 1/100 disc: a heuristic value never claims a whole board

ctypedef struct PatternWeights:
    int16_t *stages[STAGES]   # [WEIGHTS] each, in 1/100 disc for the side to move
    int16_t bias[EMPTIES_MAX + 1]     # by the number of empty squares

# 0 for the opening (57 to 60 empty squares), 14 for the end (0 to 4).
cdef int stage_of(int empties) noexcept nogil
cdef int pattern_value(const PatternWeights *weights, uint64_t player,
                       uint64_t opponent) noexcept nogil

cdef class PatternEvaluation(Evaluation):
    cdef PatternWeights table
    cdef int16_t *memory      # [STAGES][WEIGHTS], owned
    cdef readonly str digest
    cdef _fill(self, const int16_t[::1] weights, const uint32_t[::1] numbers, Py_ssize_t count)
