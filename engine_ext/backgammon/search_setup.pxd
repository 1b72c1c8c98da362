# Setting a workspace of look-ahead up: its tables, the score in play, its control.

from engine_ext.backgammon.cube cimport CubeState
from engine_ext.backgammon.evaluate cimport Evaluator
from engine_ext.backgammon.match_bearoff cimport MatchBearoff
from engine_ext.backgammon.search cimport Search
from engine_ext.control cimport RunControl

# Lets a zeroed workspace evaluate by the tables of an evaluator, which the caller keeps alive.
cdef void search_use(Search *search, Evaluator evaluator) noexcept
# Sets a workspace to work under a control, which the caller keeps alive.  ValueError for a ply
# out of range.
cdef int search_begin(Search *search, RunControl control, int ply, bint is_cubeful) except -1
# Sets a workspace to work at a cube's score.  Returns what the caller keeps alive meanwhile; None
# for money.  MemoryError.
cdef MatchBearoff search_at_score(Search *search, const CubeState *cube)
