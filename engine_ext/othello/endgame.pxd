# The exact endgame search: recursive, on a stack of its own, resumable at any node.

from libc.stdint cimport uint64_t
from engine_ext.control cimport Control
from engine_ext.coroutine cimport Coroutine
from engine_ext.othello.board cimport Board, LeafSearch, OthelloKernel
from engine_ext.othello.evaluation cimport Evaluate
from engine_ext.othello.table cimport Table

cdef enum:
    MOVES_MAX = 34            # no position has more legal moves (33 are known)
    POLL_NODES = 2048         # between polls, and a leaf's few hundred on top: below 4,096

# A legal move of the root, with what is proved of its value for the root's side to move.
ctypedef struct RootMove:
    Board after               # the other side to move
    int square
    int lower                 # lower <= value of the move <= upper
    int upper
    uint64_t work             # nodes spent on it

ctypedef struct EndgameSearch:
    LeafSearch leaf           # first: polls are handed its address.  leaf.nodes counts all nodes
    const OthelloKernel *kernel
    Table *table
    Evaluate evaluate         # orders the moves high up
    const void *weights
    int disc_value            # of the evaluation; 0 = it cannot guess scores
    Control *control          # may be NULL
    Coroutine *coroutine
    uint64_t step_end         # yield when leaf.nodes has reached this
    uint64_t nodes_told       # of leaf.nodes, what `control` has been told
    Board root
    int alpha
    int beta
    int score                 # of the finished search, fail-soft in (alpha, beta)
    int best_move
    int root_count
    RootMove root_moves[34]

# The poll of leaf.poll; the body of search.coroutine, after the root's moves are listed.
cdef void endgame_poll(LeafSearch *leaf) noexcept nogil
cdef void endgame_body(void *argument) noexcept nogil
cdef void endgame_list_root_moves(EndgameSearch *search) noexcept nogil
cdef void endgame_tell(EndgameSearch *search) noexcept nogil
