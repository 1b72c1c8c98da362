# What searches of all games share: steps on a coroutine, and what is proved of the root's moves.

from libc.stdint cimport int32_t, uint64_t
from engine_ext.control cimport Control, RunControl
from engine_ext.search.coroutine cimport Coroutine

cdef enum:
    # Chess has at most 218, and searches those of some nodes at two depths.
    ROOT_MOVES_MAX = 512

# A legal move of the root, with what is proved of its value for the root's side to move.
ctypedef struct RootMove:
    int32_t move              # the game's number of it
    int lower                 # lower <= value of the move <= upper
    int upper
    int estimate              # about its value, in the evaluation's unit
    uint64_t work             # nodes spent on it

# Whether what is proved answers a search under (alpha, beta); if so *value is fail-soft.
cdef inline bint root_move_answers(const RootMove *move, int alpha, int beta,
                                   int *value) noexcept nogil:
    value[0] = move.lower
    if move.lower >= beta or move.lower == move.upper:
        return True
    value[0] = move.upper
    return move.upper <= alpha

# Narrow a move's bounds by a fail-soft value under (alpha, beta).
cdef inline void root_move_narrow(RootMove *move, int value, int alpha, int beta) noexcept nogil:
    if value > alpha:
        move.lower = max(move.lower, value)
    if value < beta:
        move.upper = min(move.upper, value)

ctypedef struct Stepped:
    uint64_t *nodes           # the search's own count, at hand where it counts
    uint64_t *poll_at         # its own too: it polls once nodes has reached this
    uint64_t poll_nodes       # between polls; a leaf's few hundred come on top
    uint64_t step_end         # yield when nodes has reached this
    uint64_t nodes_reported       # of nodes, what `control` has been told
    Control *control          # may be NULL
    Coroutine *coroutine
    int32_t best_move         # the game says what it is without a move
    int root_count
    RootMove root_moves[ROOT_MOVES_MAX]       # in order of search

# For the search, from within its body: hand control back if it is time; set the next poll.
cdef void stepped_poll(Stepped *stepped) noexcept nogil
# Nothing is proved yet but -value_max <= value <= value_max; no work is done.
cdef void stepped_forget(Stepped *stepped, int value_max) noexcept nogil
# Bring best_move, which is one of the root's moves, to the front.
cdef void stepped_best_to_front(Stepped *stepped) noexcept nogil

cdef class SteppedSearch:
    # A game's subclass owns the search, whose struct points to `stepped`.
    cdef Stepped stepped
    cdef readonly bint is_done
    cdef bint is_running          # a thread is on the coroutine; read and written with the GIL
    cdef RunControl control
    cdef int _own(self, RunControl control, uint64_t *nodes, uint64_t *poll_at) except -1
    cdef int _enter(self) except -1
    cdef int _begin(self, void (*body)(void *argument) noexcept nogil, void *argument) except -1
    # The name of a move of the root; a subclass knows it.
    cdef str _move_name(self, int32_t move)
