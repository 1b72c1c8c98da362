"""How far a search of Threes! looks: so many moves, and no further behind what is too unlikely.

Knows chances of cards and squares.  Must not know values or boards' worth.

The rarity of a chance of p is the whole eighths of a bit in it: the floor of -8 log2 p.  A search
with a limit spends it on the cards and the squares behind each move; where it is spent, a board is
taken at its worth.  Because floors add up to no more than the whole, **no line of chances as likely
as 1 in N is ever cut** by the limit of N.  The rarity left is a part of every question about a
board, so that a value depends on nothing else, whoever finds it and in whatever order.

A look from N to M moves is as deep as a board is dangerous: one move more where there is little
room, two where it is tight.  Room is what is left of the empty squares when the kinds of cards on
the board are many, and there is enough of it before the stage where games end.  (The idea is source
3's dynamic_depth; the bounds are ours, see training/threes/RESULTS.md.)
"""

from libc.stdint cimport uint64_t
from engine_ext.threes.board cimport RANK_MAX
from engine_ext.threes.value cimport squares_with

cdef enum:
    STAGE_RANK = 9            # the card 192: before it hardly a game ends
    DISTINCT_EASY = 8         # kinds of cards; each more is as bad as a square less
    ROOM_SMALL = 6            # empty squares: one move more
    ROOM_TIGHT = 3            # two moves more

_RARE_MAX = 2 ** 31
DEEPEST = PLIES_MAX
UNLIMITED = NO_RARITY


def _tabulate_rarity():
    """Tabulate the rarity of each chance, by whole numbers alone."""
    for total in range(1, CARDS_MAX + 1):
        for count in range(1, total + 1):
            ratio = int(total) ** int(RARITY_UNITS) // int(count) ** int(RARITY_UNITS)
            RARITY[total][count] = ratio.bit_length() - 1


_tabulate_rarity()


def rarity_of(rare):
    """Return the limit that cuts what is rarer than 1 in `rare`; None: no limit.

    Errors: ValueError.
    """
    if rare is None:
        return UNLIMITED
    if not 2 <= rare <= _RARE_MAX:
        raise ValueError(f"expected a rarity of 1 in 2 to {_RARE_MAX}, not 1 in {rare}")
    return (int(rare) ** int(RARITY_UNITS)).bit_length() - 1


cdef Depth checked_depth(int plies, int rarity) except *:
    """Return how far to look.  Errors: ValueError.  GIL: needs."""
    cdef Depth depth
    if not 1 <= plies <= PLIES_MAX:
        raise ValueError(f"expected 1 to {PLIES_MAX} plies, not {plies}")
    if rarity != NO_RARITY and not 0 <= rarity <= RARITY_MAX:
        raise ValueError(f"expected a rarity of 0 to {RARITY_MAX}, not {rarity}")
    depth.plies, depth.rarity = plies, rarity
    return depth


cdef int plies_for(uint64_t cells, int least, int most) noexcept nogil:
    """Return how many moves to look ahead.  Never fails; nogil."""
    cdef int room = squares_with(cells, 0)
    cdef int rank, highest = 0, distinct = 0
    for rank in range(1, RANK_MAX + 1):
        if squares_with(cells, rank):
            highest = rank
            distinct += 1
    if highest < STAGE_RANK:
        return least
    room -= max(0, distinct - DISTINCT_EASY)
    return min(most, least + (room <= ROOM_SMALL) + (room <= ROOM_TIGHT))


def dynamic_plies(uint64_t cells, int least, int most):
    """Return how many moves to look ahead from a board.  Errors: ValueError.

    Args:
        cells: the board.
        least: moves, 1 to PLIES_MAX.
        most: moves, no less than these.
    """
    checked_depth(least, NO_RARITY)
    checked_depth(most, NO_RARITY)
    return plies_for(cells, least, most)
