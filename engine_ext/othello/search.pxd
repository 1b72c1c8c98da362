# The Python face of the search of a fixed depth, and the owner of its memory.

from engine_ext.control cimport RunControl
from engine_ext.othello.board cimport OthelloBoard
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.othello.midgame cimport MidgameSearch
from engine_ext.othello.table cimport HashTable

cdef class Search:
    cdef MidgameSearch search
    cdef readonly bint is_done
    cdef bint is_running          # a thread is on the coroutine; read and written with the GIL
    cdef readonly OthelloBoard board
    cdef readonly str algorithm
    cdef readonly str mode
    cdef HashTable table
    cdef RunControl control
    cdef Evaluation evaluation
