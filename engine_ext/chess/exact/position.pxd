# Positions as objects, for Python callers.

from engine_ext.chess.exact.listing cimport Listed
from engine_ext.chess.exact.node cimport Before, ExactNode

# The moves that a node of a depth, or of two, is worth the best of, in canonical order, those of
# the lesser depth first: they are cheap, and mostly enough.
# None if it has other options, or the game is over.
cdef int list_both(const ExactNode *node, int depth, int reduced, const Before *before,
                   Listed *listed) noexcept nogil

cdef class GameBefore:
    # An immutable set of a game's positions.
    cdef Before before

cdef class Position:
    cdef ExactNode node
    cdef readonly int reduced
