# The search of a fixed depth: recursive, on a stack of its own, resumable at any node.

from libc.stdint cimport uint64_t
from engine_ext.control cimport Control
from engine_ext.coroutine cimport Coroutine
from engine_ext.othello.board cimport Board, OthelloKernel
from engine_ext.othello.evaluation cimport Evaluate
from engine_ext.othello.table cimport Table

cdef enum:
    MOVES_MAX = 34            # no position has more legal moves (33 are known)
    POLL_NODES = 2048         # polls are at most so many nodes apart, and some 30 more
    DISC = 100                # units a disc: evaluations and finished games count the same
    VALUE_MAX = 6400          # of a finished game
    HEURISTIC_MAX = 6399      # of an evaluation, which is cut off there
    DEPTH_MAX = 60

# A legal move of the root, with what is proved of its value for the root's side to move.
ctypedef struct RootMove:
    Board after               # the other side to move
    int square
    int lower                 # lower <= value of the move at `depth` <= upper
    int upper
    uint64_t work             # nodes spent on it in this iteration

ctypedef struct MidgameSearch:
    uint64_t nodes
    uint64_t poll_at          # poll once nodes has reached this
    uint64_t step_end         # yield when nodes has reached this
    uint64_t nodes_told       # of nodes, what `control` has been told
    const OthelloKernel *kernel
    uint64_t squares
    Table *table
    Evaluate evaluate
    const void *weights
    Control *control          # may be NULL
    Coroutine *coroutine
    Board root
    int alpha                 # the window, DISC a disc
    int beta
    int depth                 # to search; iterations go from depth_first to it
    int depth_first
    bint is_mtdf              # else PVS
    bint is_fast              # cuts that may be wrong
    int depth_running         # iteration that root_moves are of
    int depth_done            # last finished iteration; -1 before
    int value                 # of the last finished iteration, fail-soft
    int best_move             # of the last finished iteration; SQUARE_NONE without a move
    int root_count
    RootMove root_moves[34]   # in order of search

# The body of search.coroutine, after the root's moves are listed.
cdef void midgame_body(void *argument) noexcept nogil
cdef void midgame_list_root_moves(MidgameSearch *search) noexcept nogil
cdef void midgame_tell(MidgameSearch *search) noexcept nogil
