# The board and its Python face.
#
# A board is always seen by the player on roll: side[0] is the player on roll,
# side[1] the opponent, and each side counts its slots from its OWN point of
# view.  Slot 0 = checkers borne off, 1..24 = points (24 = furthest from home),
# 25 = bar.  Each side's 26 slots always sum to 15, so a position written with
# fewer checkers has the rest borne off.  My point p is the opponent's 25 - p.

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    SLOT_OFF = 0
    SLOT_BAR = 25
    SLOT_COUNT = 26
    CHECKERS = 15

ctypedef struct Board:
    uint8_t side[2][26]

# 80 bits of gnubg's position key in two words; equal boards <=> equal keys.
ctypedef struct BoardKey:
    uint64_t low
    uint64_t high

cdef void board_swap(Board *board) noexcept nogil                       # exchange the players
cdef BoardKey board_key(const Board *board) noexcept nogil
cdef int board_pip_count(const Board *board, int side) noexcept nogil   # of side 0 or 1
cdef bint board_is_race(const Board *board) noexcept nogil              # contact is over
# +1/+2/+3 = side[0] has borne everything off (single, gammon, backgammon),
# -1/-2/-3 = side[1] has; 0 = not over.
cdef int board_result(const Board *board) noexcept nogil

cdef class Position:
    # An immutable, hashable board for Python callers.
    cdef Board board

cdef Position position_from_board(const Board *board)
