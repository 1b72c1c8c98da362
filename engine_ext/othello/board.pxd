# Boards as two words, and what the rules say about them.
#
# Bit 0 = a1, bit 7 = h1, bit 8 = a2, bit 63 = h8.  A board is always seen by the side to move:
# `player` are its discs, `opponent` the other's; who is black does not enter ("black-to-move
# normalisation").  Smaller boards lie in the middle of the 8 x 8: 6 x 6 on b2..g7, 4 x 4 on
# c3..f6.  Their border squares are in neither word and in no mask of `squares`.

from libc.stdint cimport uint64_t
from engine_ext.control cimport Control

cdef enum:
    SQUARE_NONE = 64          # no square: a pass, or no move known
    SYMMETRIES = 8
    SCORE_MAX = 64

ctypedef struct Board:
    uint64_t player
    uint64_t opponent

cdef extern from "othello_kernel.h" nogil:
    # The parts of a kernel; see othello_kernel.h.  Get it once before a loop.
    ctypedef struct LeafEntry:
        pass
    ctypedef struct LeafSearch:
        uint64_t nodes
        uint64_t poll_at
        void (*poll)(LeafSearch *) noexcept nogil
        uint64_t squares
        uint64_t corners
        LeafEntry *table
    ctypedef struct OthelloKernel:
        const char *name
        # legal squares of the player; mask with `squares` on small boards
        uint64_t (*moves)(uint64_t player, uint64_t opponent) noexcept nogil
        # the opponent's discs that a disc on the empty `square` turns; 0 = not a legal move
        uint64_t (*flips)(uint64_t player, uint64_t opponent, int square) noexcept nogil
        # null-window search (alpha, alpha + 1) to the end of the game, fail-soft
        int (*solve)(LeafSearch *search, uint64_t player, uint64_t opponent,
                     int alpha) noexcept nogil
    cdef enum:
        OTHELLO_LEAF_TABLE_BITS

# The kernel in use.  Never NULL.
cdef const OthelloKernel *othello_kernel() noexcept nogil

# The board's squares for size 4, 6 or 8; 0 for another size.
cdef uint64_t board_squares(int size) noexcept nogil
cdef uint64_t board_corners(int size) noexcept nogil
cdef uint64_t board_moves(const Board *board, uint64_t squares) noexcept nogil
# Place a disc on an empty square, turn `flips` and give the move to the other side.  Inline, both:
# a board that a call returns in registers is stored as two words and read as one right after,
# which takes a store's whole way.
cdef inline Board board_after(const Board *board, int square, uint64_t flips) noexcept nogil:
    cdef Board after
    after.player = board.opponent ^ flips
    after.opponent = board.player ^ flips ^ <uint64_t>1 << square
    return after

cdef inline Board board_passed(const Board *board) noexcept nogil:
    cdef Board after
    after.player = board.opponent
    after.opponent = board.player
    return after

# Discs of the player minus discs of the opponent, the empty squares counted for the side that has
# more: the score of a finished game, seen by the player.
cdef int board_final_score(const Board *board, uint64_t squares) noexcept nogil
# Discs of the player that no sequence of moves can turn; an estimate from below.
cdef uint64_t board_stable(const Board *board, uint64_t squares) noexcept nogil
# Symmetry 0 is the identity; 1..7 are the rotations and reflections.
cdef uint64_t bits_transformed(uint64_t bits, int symmetry) noexcept nogil
cdef int square_transformed(int square, int symmetry) noexcept nogil
# The least of the eight by (player, opponent); *symmetry is the one that leads to it.
cdef Board board_canonical(const Board *board, int *symmetry) noexcept nogil
# Ways to play `depth` plies; a pass is a ply, a game that ends before is one way.
cdef uint64_t board_perft(const Board *board, uint64_t squares, int depth,
                          Control *control) noexcept nogil

cdef class OthelloBoard:
    # An immutable board for Python callers.
    cdef Board board
    cdef readonly int size        # 4, 6 or 8
    cdef readonly str to_move     # "X" (black) or "O" (white)

cdef OthelloBoard othello_board(const Board *board, int size, str to_move)
