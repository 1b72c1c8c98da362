# The search of a fixed depth: recursive, on a stack of its own, resumable at any node.

from libc.stdint cimport uint64_t
from engine_ext.othello.board cimport Board
from engine_ext.othello.node cimport Sight
from engine_ext.search.stepped cimport Stepped
from engine_ext.search.table cimport Table

cdef enum:
    DISC = 100                # units a disc: evaluations and finished games count the same
    VALUE_MAX = 6400          # of a finished game
    HEURISTIC_MAX = 6399      # of an evaluation, which is cut off there
    DEPTH_MAX = 60

ctypedef struct MidgameSearch:
    uint64_t nodes
    uint64_t poll_at          # poll once nodes has reached this
    Stepped *stepped          # steps, and what the running iteration has proved of the root's moves
    Sight sight
    Table *table
    Board root
    int alpha                 # the window, DISC a disc
    int beta
    int depth                 # to search; iterations go from depth_first to it
    int depth_first
    bint is_mtdf              # else PVS
    bint is_fast              # cuts that may be wrong
    int depth_begun           # last begun iteration, which runs unless it is done; -1 before
    int depth_done            # last finished iteration; -1 before
    int value                 # of the last finished iteration, fail-soft

# V(board, depth) under (alpha, beta), fail-soft, for another search, which polls by itself.
# `evaluated` is V(board, 0).
cdef int midgame_value(MidgameSearch *search, const Board *board, int depth, int alpha, int beta,
                       int evaluated) noexcept nogil
# The body of the coroutine, after the root's moves are listed.
cdef void midgame_body(void *argument) noexcept nogil
cdef void midgame_list_root_moves(MidgameSearch *search) noexcept nogil
