# The full-width search of the fast mode, below the root.

from engine_ext.chess.board cimport ChessBoardStruct, ChessMove
from engine_ext.chess.fast.node cimport Node
from engine_ext.chess.fast.worker cimport Worker

# The value after a move, which has been begun: with less depth or at a null window first.
cdef int child_value(Worker *worker, const Node *node, const ChessBoardStruct *after, int number,
                     int depth, int reduction, bint gives_check) noexcept nogil
# How many plies less a move is searched at first, by its number from 1.
cdef int reduction_of(Worker *worker, const Node *node, ChessMove move, int number, bint is_quiet,
                      bint gives_check) noexcept nogil
