# The Python face of the endgame search, and the owner of its memory.

from engine_ext.othello.endgame cimport EndgameSearch
from engine_ext.othello.midgame cimport MidgameSearch
from engine_ext.othello.board_search cimport BoardSearch
from engine_ext.othello.table cimport HashTable

cdef class Solver(BoardSearch):
    cdef EndgameSearch search
    cdef MidgameSearch judge
    cdef HashTable judge_table
    cdef int _appoint_judge(self, HashTable table) except -1
