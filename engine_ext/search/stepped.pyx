"""Searches that are left and gone on with: what those of all games and kinds share.

Knows steps, polls and the root's moves.  Must not know the game, how a search goes, nor what its
values mean.
"""

from libc.stdint cimport int32_t, uint64_t

from engine_ext.control cimport RunControl, control_is_stopped, control_step
from engine_ext.search.coroutine cimport (
    coroutine_free, coroutine_new, coroutine_resume, coroutine_yield)

cdef enum:
    POLL_NODES = 512          # between polls, unless a game has others; at most 1,024 with a leaf's

# More nodes than any search could visit.
STEP_END_MAX = 1 << 62


cdef inline void _report_nodes(Stepped *stepped) noexcept nogil:
    """Report the nodes since the last report to the control."""
    if stepped.control is not NULL:
        control_step(stepped.control, stepped.nodes[0] - stepped.nodes_reported)
        stepped.nodes_reported = stepped.nodes[0]


cdef void stepped_poll(Stepped *stepped) noexcept nogil:
    """Hand control back at the end of a step or when stopped; set the next poll.

    Errors: never fails.  GIL: nogil; waits while the control is paused.
    """
    while True:
        _report_nodes(stepped)
        if stepped.control is not NULL and control_is_stopped(stepped.control):
            coroutine_yield(stepped.coroutine)
            continue
        if stepped.nodes[0] < stepped.step_end:
            break
        coroutine_yield(stepped.coroutine)
    stepped.poll_at[0] = min(stepped.step_end, stepped.nodes[0] + stepped.poll_nodes)


cdef void stepped_forget(Stepped *stepped, int value_max) noexcept nogil:
    """Forget what is proved of the root's moves.  Never fails.  GIL: nogil."""
    cdef int i
    for i in range(stepped.root_count):
        stepped.root_moves[i].lower = -value_max
        stepped.root_moves[i].upper = value_max
        stepped.root_moves[i].work = 0


cdef void stepped_best_to_front(Stepped *stepped) noexcept nogil:
    """Bring best_move, one of the root's moves, to the front.  Never fails.  GIL: nogil."""
    cdef RootMove move
    cdef int i = 0
    while stepped.root_moves[i].move != stepped.best_move:
        i += 1
    move = stepped.root_moves[i]
    while i > 0:
        stepped.root_moves[i] = stepped.root_moves[i - 1]
        i -= 1
    stepped.root_moves[0] = move


cdef class SteppedSearch:
    """One search of a position, which can be left and gone on with; a game's are subclasses."""

    def __cinit__(self, *_arguments, **_named):
        self.is_done = True       # there is nothing to search before a subclass begins
        self.stepped.poll_nodes = POLL_NODES

    def __dealloc__(self):
        coroutine_free(self.stepped.coroutine)

    cdef str _move_name(self, int32_t move):
        """Return what people call a move of the root.  GIL: needs."""
        return str(move)

    cdef int _own(self, RunControl control, uint64_t *nodes, uint64_t *poll_at) except -1:
        """Keep what the search points to; the numbers are fields of the subclass.  GIL: needs."""
        self.control = control
        self.stepped.nodes = nodes
        self.stepped.poll_at = poll_at
        self.stepped.control = &control.control if control is not None else NULL
        return 0

    cdef int _enter(self) except -1:
        """Check that no thread is in the search.  Errors: RuntimeError.  GIL: needs."""
        if self.is_running:
            raise RuntimeError("a thread is in this search already")
        return 0

    cdef int _begin(self, void (*body)(void *argument) noexcept nogil, void *argument) except -1:
        """Begin a search instead of the one before.  Errors: MemoryError.  GIL: needs."""
        self.is_done = True       # nothing can be stepped if there is no memory for it
        coroutine_free(self.stepped.coroutine)
        self.stepped.coroutine = coroutine_new(body, argument)
        if self.stepped.coroutine is NULL:
            raise MemoryError
        self.stepped.nodes[0] = self.stepped.nodes_reported = 0
        self.is_done = False
        return 0

    def obey(self, RunControl control):
        """Have another control count the nodes from now on, and stop the search; None: nobody.

        Raises:
            RuntimeError: another thread is in `step`.
        """
        self._enter()
        self.control = control
        self.stepped.control = &control.control if control is not None else NULL

    def step(self, nodes):
        """Search on for about so many nodes: 1,024 more at most, fewer if stopped or done.

        Args:
            nodes: at least 1.

        Returns:
            Whether the search is done.  How it was cut into steps changes nothing about it.

        Raises:
            ValueError: not a number of nodes.
            RuntimeError: another thread is in `step`.
        """
        if nodes < 1:
            raise ValueError(f"a step has 1 node or more, not {nodes}")
        if self.is_done:
            return True
        self._enter()
        cdef Stepped *stepped = &self.stepped
        cdef bint is_left = True
        cdef uint64_t end = min(stepped.nodes[0] + int(nodes), STEP_END_MAX)
        self.is_running = True
        with nogil:
            if stepped.control is NULL or not control_is_stopped(stepped.control):
                stepped.step_end = end
                stepped.poll_at[0] = min(end, stepped.nodes[0] + stepped.poll_nodes)
                is_left = coroutine_resume(stepped.coroutine)
                _report_nodes(stepped)
        self.is_running = False
        self.is_done = not is_left
        return self.is_done

    def run(self):
        """Search to the end, or until the control stops it; whether the search is done."""
        return self.step(STEP_END_MAX)

    @property
    def nodes(self):
        """Positions visited so far, as the search counts them."""
        return 0 if self.stepped.nodes is NULL else self.stepped.nodes[0]

    @property
    def move_bounds(self):
        """What is proved so far of each legal move's value, in order of search.

        Of the running, or last, iteration if there are several.  A dict from the move's name to
        (lower, upper, nodes), for the side to move.
        """
        return {
            self._move_name(self.stepped.root_moves[i].move): (
                self.stepped.root_moves[i].lower, self.stepped.root_moves[i].upper,
                self.stepped.root_moves[i].work)
            for i in range(self.stepped.root_count)
        }
