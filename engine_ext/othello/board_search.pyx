"""Searches of an Othello board: what the solver and the search of a depth share.

Knows boards, tables and evaluations.  Must not know how a search goes, nor what its values mean.
"""

from libc.stdint cimport int32_t, uint64_t

from engine_ext.control cimport RunControl
from engine_ext.othello.board cimport SQUARE_NONE
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.othello.table cimport HashTable
from engine_ext.search.stepped cimport SteppedSearch

from engine_ext.othello.board import square_name


cdef class BoardSearch(SteppedSearch):
    """One search of a board, which can be left and gone on with; `Solver` and `Search` are some."""

    cdef int _keep(self, HashTable table, RunControl control, Evaluation evaluation,
                   uint64_t *nodes, uint64_t *poll_at) except -1:
        """Keep what the search points to.  Errors: TypeError for no evaluation.  GIL: needs."""
        if evaluation.evaluate is NULL:
            raise TypeError("an evaluation is of a kind, such as PatternEvaluation")
        self.table = table
        self.evaluation = evaluation
        return self._own(control, nodes, poll_at)

    cdef str _move_name(self, int32_t move):
        return square_name(move, self.board.size)

    cdef str _best_name(self):
        """The best move so far; None if there is none."""
        if self.stepped.best_move == SQUARE_NONE:
            return None
        return self._move_name(self.stepped.best_move)
