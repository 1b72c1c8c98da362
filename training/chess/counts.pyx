"""How often each term speaks of a position: what the evaluation is linear in.

Knows the evaluation as a sum.  Must not know what is learned.  While it counts, nothing else may
evaluate: the terms' values are set to count with, and back.
"""

from libc.string cimport memcpy
from engine_ext.chess.board cimport ChessBoard
from engine_ext.chess.evaluation cimport Pair, evaluation_sum, evaluation_weights

from engine_ext.chess.evaluation import TERM_COUNT as _TERM_COUNT

import numpy as np

cdef enum:
    _TERMS_MAX = 1024


def term_counts(boards):
    """Return the counts of all terms in each board, ours less theirs.

    Args:
        boards: ChessBoards.

    Returns:
        (counts, phases): int8 [boards, TERM_COUNT] and int8 [boards], 24 with all pieces.
    """
    cdef int count = _TERM_COUNT
    assert count <= _TERMS_MAX
    counts = np.zeros((len(boards), count), dtype=np.int8)
    phases = np.zeros(len(boards), dtype=np.int8)
    cdef signed char[:, ::1] cells = counts
    cdef signed char[::1] early = phases
    cdef Pair kept[_TERMS_MAX]
    cdef Pair *weights = evaluation_weights()
    cdef Pair sum_
    cdef int term, phase = 0
    cdef Py_ssize_t row
    cdef ChessBoard board
    memcpy(kept, weights, count * sizeof(Pair))
    try:
        for term in range(count):
            weights[term] = 0
        for row in range(len(boards)):
            board = boards[row]
            for term in range(0, count, 2):
                weights[term] = 1
                if term + 1 < count:
                    weights[term + 1] = 65_536
                sum_ = evaluation_sum(&board.board, &phase)
                weights[term] = 0
                cells[row, term] = <signed char>(<short>(sum_ & 0xFFFF))
                if term + 1 < count:
                    weights[term + 1] = 0
                    cells[row, term + 1] = <signed char>((sum_ - <short>(sum_ & 0xFFFF)) >> 16)
            early[row] = <signed char>phase
    finally:
        memcpy(weights, kept, count * sizeof(Pair))
    return counts, phases
