# The value of a node at a depth, by search: recursive, on a stack of its own.

from libc.stdint cimport int16_t, uint64_t
from engine_ext.chess.board cimport ChessMove
from engine_ext.chess.exact.listing cimport Listed
from engine_ext.chess.exact.node cimport DEPTH_MAX, Before, ExactNode
from engine_ext.search.stepped cimport Stepped
from engine_ext.search.table cimport Table

ctypedef struct ValueSearch:
    uint64_t nodes            # positions visited, those of captures at the leaves included
    uint64_t poll_at          # poll once nodes has reached this
    Stepped *stepped
    Table *table
    const Before *before
    int16_t history[2][64 * 64]       # which quiet moves were good elsewhere: for order only
    ChessMove killers[DEPTH_MAX + 1][2]

# V(node, depth) under (alpha, beta), fail-soft.
cdef int exact_value(ValueSearch *search, const ExactNode *node, int depth, int alpha,
                     int beta) noexcept nogil
# What a move of a node counts under (alpha, beta), fail-soft, but for its cap.
cdef int listed_value(ValueSearch *search, const ExactNode *node, const Listed *listed, int alpha,
                      int beta) noexcept nogil
