# How good a position is at a look: tapered terms, in centipawns.

from engine_ext.chess.board cimport ChessBoardStruct

cdef enum:
    EVALUATION_MAX = 20_000       # |value| stays below it; above are mates
    PHASE_MAX = 24                # knights and bishops 1, rooks 2, queens 4, of both sides

# The value for the side to move: a function of the board alone, the same with colours exchanged.
cdef int evaluate(const ChessBoardStruct *board) noexcept nogil
