# The Python face of the search of a fixed depth, and the owner of its memory.

from engine_ext.othello.midgame cimport MidgameSearch
from engine_ext.othello.board_search cimport BoardSearch

cdef class DepthSearch(BoardSearch):
    cdef MidgameSearch search
    cdef readonly str algorithm
    cdef readonly str mode
