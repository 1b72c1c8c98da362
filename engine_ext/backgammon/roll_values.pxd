# What each of the 21 rolls is worth to the player on roll.

from engine_ext.backgammon.board cimport Board
from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.search cimport Search

# values[21], by roll_index: the cubeful equity after the best move, by the normal filter.
cdef void search_roll_values(Search *search, const Board *board, const CubeState *cube, int ply,
                             double *values) noexcept nogil
