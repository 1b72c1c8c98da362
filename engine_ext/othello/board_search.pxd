# What Othello's searches share beyond steps: a board, a table and an evaluation.

from libc.stdint cimport int32_t, uint64_t
from engine_ext.control cimport RunControl
from engine_ext.othello.board cimport OthelloBoard
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.othello.table cimport HashTable
from engine_ext.search.stepped cimport SteppedSearch

cdef class BoardSearch(SteppedSearch):
    cdef readonly OthelloBoard board
    cdef HashTable table
    cdef Evaluation evaluation
    # Keep what the search points to.
    cdef int _keep(self, HashTable table, RunControl control, Evaluation evaluation,
                   uint64_t *nodes, uint64_t *poll_at) except -1
    cdef str _best_name(self)
