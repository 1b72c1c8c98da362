# The Python face of the endgame search, and the owner of its memory.

from engine_ext.othello.endgame cimport EndgameSearch
from engine_ext.othello.midgame cimport MidgameSearch
from engine_ext.othello.stepped cimport SteppedSearch
from engine_ext.othello.table cimport HashTable

cdef class Solver(SteppedSearch):
    cdef EndgameSearch search
    cdef MidgameSearch judge
    cdef HashTable judge_table
    cdef int _appoint_judge(self, HashTable table) except -1
