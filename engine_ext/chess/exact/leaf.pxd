# The value of a position at depth 0: captures are searched to their end.

from libc.stdint cimport uint64_t
from engine_ext.chess.board cimport ChessBoardStruct

# V(position, 0) for the side to move under (alpha, beta), fail-soft; *nodes grows by what it visits.
cdef int leaf_value(const ChessBoardStruct *board, int alpha, int beta, bint is_check,
                    uint64_t *nodes) noexcept nogil
