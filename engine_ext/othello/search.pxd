# The Python face of the search of a fixed depth, and the owner of its memory.

from engine_ext.othello.midgame cimport MidgameSearch
from engine_ext.othello.stepped cimport SteppedSearch

cdef class Search(SteppedSearch):
    cdef MidgameSearch search
    cdef readonly str algorithm
    cdef readonly str mode
