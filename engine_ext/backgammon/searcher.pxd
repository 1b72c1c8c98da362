# The Python face of look-ahead, and the owner of its memory.

from engine_ext.backgammon.cube cimport Cube
from engine_ext.backgammon.evaluate cimport Evaluator
from engine_ext.backgammon.match_bearoff cimport MatchBearoff
from engine_ext.backgammon.search cimport Search
from engine_ext.control cimport RunControl

cdef class Searcher:
    # Owns one workspace; used by one thread at a time.
    cdef Search *search
    cdef Evaluator _evaluator
    cdef MatchBearoff _bearoff        # keeps the bear-offs of the score in play; None for money
    # Sets the workspace to work at a cube's score; as search_setup.search_begin.
    cdef int begin(self, Cube cube, RunControl control, int ply, bint is_cubeful) except -1
