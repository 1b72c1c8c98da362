# The Python face of the endgame search, and the owner of its memory.

from engine_ext.control cimport RunControl
from engine_ext.othello.board cimport OthelloBoard
from engine_ext.othello.endgame cimport EndgameSearch
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.othello.table cimport HashTable

cdef class Solver:
    cdef EndgameSearch search
    cdef readonly bint is_done
    cdef bint is_running          # a thread is on the coroutine; read and written with the GIL
    cdef readonly OthelloBoard board
    cdef HashTable table
    cdef RunControl control
    cdef Evaluation evaluation
    cdef int _enter(self) except -1
