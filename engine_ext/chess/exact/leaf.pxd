# The value of a position at depth 0: captures are searched to their end.

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport ChessBoardStruct
from engine_ext.chess.evaluation cimport evaluate

cdef enum:
    # Values are multiples of it, but for mates: null windows find them in a third of the passes.
    GRAIN = 8

# The evaluation, to the nearest GRAIN.
cdef inline int still_value(const ChessBoardStruct *board) noexcept nogil:
    return ((evaluate(board) + (1 << 20) + GRAIN // 2) & -GRAIN) - (1 << 20)

# V(position, 0) for the side to move under (alpha, beta), fail-soft; *nodes grows by the visited.
cdef int leaf_value(const ChessBoardStruct *board, int alpha, int beta, bint is_check,
                    uint64_t *nodes) noexcept nogil

# The same of a look: captures on other squares than the last one's end sooner.
cdef int probe_value(const ChessBoardStruct *board) noexcept nogil
