# Real positions with a roll each, and what follows them: the work that speed is measured on.

from libc.stdint cimport uint8_t
from engine_ext.backgammon.board cimport Board, Position
from engine_ext.backgammon.evaluate cimport EvalTables, Evaluator
from engine_ext.backgammon.movegen cimport MoveList

# A position and the roll its player plays.
ctypedef struct Start:
    Board board               # the mover on roll
    Board near                # the same, the opponent on roll
    uint8_t die1
    uint8_t die2
    int first, count          # successors in Successors._after

cdef class Successors:
    # Owns the work; one thread at a time.
    cdef readonly int count   # of all successors
    cdef Evaluator _evaluator
    cdef int _start_count
    cdef Start *_starts
    cdef Board *_after        # all successors, the opponent of the mover on roll
    cdef double *_probs       # [count][5]
    cdef MoveList *_moves     # of one roll
    cdef int _set_start(self, Start *start, Position position, int die1, int die2) except -1
    cdef void _list_all(self) noexcept nogil
