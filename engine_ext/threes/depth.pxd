# How far a search of Threes! looks: moves, and how unlikely what it looks at may be; see depth.pyx.

from libc.stdint cimport uint64_t

cdef enum:
    PLIES_MAX = 8             # a search of more takes hours a move
    RARITY_UNITS = 8          # of a bit
    RARITY_MAX = 255          # of a search that has a limit: no chance is rarer than 1 in 2^31
    NO_RARITY = 0xFFFF        # nothing is too rare
    CARDS_MAX = 12            # in a full bag
    PLY_RARITY_MAX = 44       # of one of twelve cards on one of four squares

ctypedef struct Depth:
    int plies                 # moves still to be looked at
    int rarity                # units still to be spent on chances; NO_RARITY: no limit

cdef int[CARDS_MAX + 1][CARDS_MAX + 1] RARITY      # [total][count]

# How far to look behind a chance of count in total. Where the limit cannot be reached any more it
# is as if there were none: what is alike is then alike to the memo.
cdef inline Depth behind_chance(Depth depth, int count, int total) noexcept nogil:
    if depth.rarity != NO_RARITY:
        depth.rarity -= RARITY[total][count]
        if depth.rarity >= (depth.plies - 1) * PLY_RARITY_MAX:
            depth.rarity = NO_RARITY
    return depth

# How far to look behind a move and one of so many entry squares.
cdef inline Depth behind_move(Depth depth, int squares) noexcept nogil:
    depth.plies -= 1
    depth = behind_chance(depth, 1, squares)
    if depth.rarity < 0:
        depth.plies, depth.rarity = 0, NO_RARITY
    return depth

cdef Depth checked_depth(int plies, int rarity) except *

# How far to look on a board: moves from `least` to `most`; see depth.pyx.
cdef int plies_for(uint64_t cells, int least, int most) noexcept nogil
