# How good a position is at a look: tapered terms, in centipawns.

from engine_ext.chess.board cimport ChessBoardStruct

cdef enum:
    EVALUATION_MAX = 20_000       # |value| stays below it; above are mates
    PHASE_MAX = 24                # knights and bishops 1, rooks 2, queens 4, of both sides

# Early and late in one number, late in the upper half: they are added together.
ctypedef int Pair

# The value for the side to move: a function of the board alone, the same with colours exchanged.
cdef int evaluate(const ChessBoardStruct *board) noexcept nogil

# What standing on a square is worth to one of our men, midway through the game.
cdef int placement(int code, int square) noexcept nogil

# For training: the sum of what the terms say, and how early it is; the terms' values themselves.
cdef Pair evaluation_sum(const ChessBoardStruct *board, int *phase) noexcept nogil
cdef Pair *evaluation_weights() noexcept nogil
