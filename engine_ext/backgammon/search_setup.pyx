# cython: language_level=3
"""Setting a workspace of look-ahead up: its tables, the score in play, its control.

Knows what must be in place before a search.  Must not know how positions are searched.
"""

from engine_ext.backgammon.match_bearoff cimport bearoff_at_score
from engine_ext.backgammon.search cimport SEARCH_PLY_MAX


cdef void search_use(Search *search, Evaluator evaluator) noexcept:
    """Let a zeroed workspace evaluate by an evaluator's tables; see the .pxd."""
    search.own_tables = evaluator.tables
    search.tables = &search.own_tables


cdef MatchBearoff search_at_score(Search *search, const CubeState *cube):
    """Let bear-offs be valued at a cube's score; see the .pxd."""
    search.own_tables.score = NULL
    if cube.match_length == 0:
        return None
    search.own_tables.score = &search.score
    return bearoff_at_score(cube, &search.score)


cdef int search_begin(Search *search, RunControl control, int ply, bint is_cubeful) except -1:
    """Set a workspace to work under a control; see the .pxd."""
    if not 0 <= ply <= SEARCH_PLY_MAX:
        raise ValueError(f"ply is 0 to {SEARCH_PLY_MAX}, not {ply}")
    search.control = &control.control
    search.is_cubeful = is_cubeful
    search.is_stopped = False
    return 0
