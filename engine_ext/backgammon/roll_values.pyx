# cython: language_level=3
"""What each of the 21 rolls is worth to the player on roll, who plays it best.

Knows rolls and searches.  Must not know what the values are wanted for.
"""

from engine_ext.backgammon.board cimport Board, Position
from engine_ext.backgammon.cube cimport Cube, CubeState, cube_swapped
from engine_ext.backgammon.search cimport (
    ROLL_INDICES, Reply, Search, roll_index, search_all_replies, search_rank,
)
from engine_ext.backgammon.searcher cimport Searcher
from engine_ext.control cimport RunControl

from engine_ext.backgammon.move_filters import MOVE_FILTERS

ROLLS = tuple([(die1, die2) for die1 in range(1, 7) for die2 in range(1, die1 + 1)])

cdef int _FILTER = MOVE_FILTERS.index("normal")


cdef void _statically(Search *search, const Board *board, const CubeState *cube,
                      double *values) noexcept nogil:
    cdef CubeState next_cube = cube_swapped(cube)
    cdef Reply[ROLL_INDICES] replies
    cdef int roll
    search_all_replies(search, board, &next_cube, replies)
    for roll in range(ROLL_INDICES):
        values[roll] = replies[roll].equity


cdef void search_roll_values(Search *search, const Board *board, const CubeState *cube, int ply,
                             double *values) noexcept nogil:
    """Find what the best move of each roll is worth to the player on roll.

    Shapes: values: double[21], in roll_index's order.  GIL: nogil.  Errors: never fails; void if
    search.is_stopped is set.
    """
    cdef int die1, die2
    if ply == 0:
        _statically(search, board, cube, values)
        return
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            if search.is_stopped:
                return
            search_rank(search, board, die1, die2, cube, ply, _FILTER)
            values[roll_index(die1, die2)] = search.candidates[0].equity


def roll_values(Searcher searcher not None, Position position not None, Cube cube not None,
                int ply, RunControl control not None):
    """Return the cubeful equity of the player on roll after the best move of each roll.

    Shapes: 21 values, in the order of ROLLS (larger die first).  Bit-exact: the equity of the
    first move that `Searcher.rank_moves` lists with the normal filter.  None if stopped.

    Errors: ValueError for a ply out of range.  GIL: released.
    """
    cdef double[ROLL_INDICES] values
    cdef int roll
    searcher.begin(cube, control, ply, True)
    with nogil:
        search_roll_values(searcher.search, &position.board, &cube.state, ply, values)
    if searcher.search.is_stopped:
        return None
    return [values[roll] for roll in range(ROLL_INDICES)]
