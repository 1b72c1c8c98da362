# What a series of captures on one square gains.

from engine_ext.chess.board cimport ChessBoardStruct, ChessMove

# Whether the side to move comes out of the captures that a move begins with `gain` centipawns or
# more, each side free to stop; promotions of later captures are not looked for.
cdef bint exchange_gains(const ChessBoardStruct *board, ChessMove move, int gain) noexcept nogil
# What a man is worth there, by its code; 0 for nothing.
cdef int exchange_value(int code) noexcept nogil
