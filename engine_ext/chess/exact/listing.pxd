# What a node's value is made of: its moves, and how deep the position after each is searched.

from libc.stdint cimport int8_t, int16_t, uint8_t
from engine_ext.chess.board cimport ChessMove
from engine_ext.chess.exact.node cimport MATE, ExactNode

cdef enum:
    # Up to here a node has other options than its moves: its evaluation less a margin, and moves
    # that count no more than a bound or do not count.  Deeper nodes are worth their best move.
    OPTION_DEPTH = 3
    PASS_DEPTH = 3
    NOT_REDUCED = -1
    NO_CAP = 32_000
    NOT_MATED = 1 - MATE      # more is not known where moves do not count

# The move counts -V(after, depth); if it is reduced the lesser of that and -V(after, reduced); and
# no more than its cap.
ctypedef struct Listed:
    ChessMove move            # 0: a pass
    int8_t depth
    int8_t reduced            # NOT_REDUCED, or less than depth
    int16_t cap
    uint8_t loses             # it takes, and loses more by that

# The moves that count at depth 1 and more, those first that look best; how many.  `moves` are all
# legal ones, `static_value` the evaluation or NOTHING in check.  *has_dropped: some do not count.
cdef int list_moves(const ExactNode *node, int depth, int static_value, const ChessMove *moves,
                    int count, Listed *listed, bint *has_dropped) noexcept nogil
# Whether the pass is one of a node's moves.
cdef bint may_pass(const ExactNode *node, int depth, bint is_check) noexcept nogil
cdef Listed the_pass(int depth) noexcept nogil
# A value that the side to move has without a move, or NOTHING.
cdef int option_value(const ExactNode *node, int depth, int static_value) noexcept nogil
# All that a node of more than OPTION_DEPTH is worth the best of: the pass, if it counts, is last.
cdef int list_all(const ExactNode *node, int depth, Listed *listed) noexcept nogil
