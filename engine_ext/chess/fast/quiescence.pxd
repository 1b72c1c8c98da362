# Positions searched until nothing more is to be taken.

from engine_ext.chess.board cimport ChessBoardStruct
from engine_ext.chess.fast.worker cimport Worker

# The value under (alpha, beta), fail-soft, of captures and of answers to checks alone.
cdef int quiescence(Worker *worker, const ChessBoardStruct *board, int ply, int alpha, int beta,
                    bint is_check) noexcept nogil
# Count a node; worker.is_stopped once the search has to end.
cdef void count_node(Worker *worker, int ply) noexcept nogil
# Whether the game is drawn here, by repetition, fifty moves or too few men.
cdef bint is_drawn(Worker *worker, const ChessBoardStruct *board, int ply,
                   bint is_check) noexcept nogil
