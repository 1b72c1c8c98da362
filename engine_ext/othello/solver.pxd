# The Python face of the endgame search, and the owner of its memory.

from engine_ext.othello.endgame cimport EndgameSearch
from engine_ext.othello.stepped cimport SteppedSearch

cdef class Solver(SteppedSearch):
    cdef EndgameSearch search
