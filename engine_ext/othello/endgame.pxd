# The exact endgame search: recursive, on a stack of its own, resumable at any node.

from engine_ext.othello.board cimport Board, LeafSearch
from engine_ext.othello.midgame cimport MidgameSearch
from engine_ext.othello.node cimport Sight
from engine_ext.search.stepped cimport Stepped
from engine_ext.search.table cimport Table

cdef enum:
    FINISHED_VALUE = 10000    # a disc of a finished game: the least win is above most evaluations

ctypedef struct EndgameSearch:
    LeafSearch leaf           # first: polls are handed its address.  leaf.nodes counts all nodes
    Stepped *stepped          # steps, and what is proved of the root's moves
    Sight sight               # its evaluation orders the moves high up
    int disc_value            # of the evaluation; 0 = it cannot guess scores
    Table *table
    MidgameSearch *judge      # a fast search, by which scores are probable; NULL: they are exact
    Board root
    int alpha
    int beta
    int score                 # of the finished search, fail-soft in (alpha, beta)

# The poll of leaf.poll; the body of the coroutine, after the root's moves are listed.
cdef void endgame_poll(LeafSearch *leaf) noexcept nogil
cdef void endgame_body(void *argument) noexcept nogil
cdef void endgame_list_root_moves(EndgameSearch *search) noexcept nogil
