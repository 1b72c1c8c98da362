"""The solver: one endgame search at a time, in steps.

Knows the search's memory and its face for Python.  Must not know how the search goes
(endgame.pyx), nor what its scores are used for.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from engine_ext.control cimport RunControl, control_is_stopped
from engine_ext.coroutine cimport coroutine_free, coroutine_new, coroutine_resume
from engine_ext.othello.board cimport (
    OTHELLO_LEAF_TABLE_BITS, SCORE_MAX, SQUARE_NONE, LeafEntry, OthelloBoard, board_corners,
    board_squares, othello_kernel)
from engine_ext.othello.endgame cimport (
    POLL_NODES, endgame_body, endgame_list_root_moves, endgame_poll, endgame_tell)
from engine_ext.othello.evaluation cimport Evaluation, MobilityEvaluation
from engine_ext.othello.table cimport HashTable

from engine_ext.othello.board import square_name

# Half of what FFO #45 stores above the leaves; four times as much would gain it little.
TABLE_BYTES = 1 << 26

# More nodes than any search could visit.
STEP_END_MAX = 1 << 62


cdef class Solver:
    """One search of a board under a window, which can be left and gone on with.

    Args:
        board: what to solve; its side to move is whose view all scores take.
        alpha, beta: the window, -64 <= alpha < beta <= 64: (-1, 1) tells win, loss or draw.
        table: keeps positions with more than LEAF_EMPTIES empty squares; a new one by default.
        control: counts nodes as steps; a stopped search stays where it is.
        evaluation: orders moves; MobilityEvaluation by default.

    Raises:
        ValueError: there is no such window.
        TypeError: the evaluation is of no kind.
        MemoryError: there is no memory for the search.
    """

    def __cinit__(self, OthelloBoard board not None, alpha=-SCORE_MAX, beta=SCORE_MAX,
                  HashTable table=None, RunControl control=None, Evaluation evaluation=None):
        self.table = table if table is not None else HashTable(TABLE_BYTES)
        self.control = control
        self.evaluation = evaluation if evaluation is not None else MobilityEvaluation(board.size)
        if self.evaluation.evaluate is NULL:
            raise TypeError("an evaluation is of a kind, such as MobilityEvaluation")
        self.search.leaf.poll = endgame_poll
        self.search.leaf.table = <LeafEntry *>calloc(
            1 << OTHELLO_LEAF_TABLE_BITS, sizeof(LeafEntry))
        if self.search.leaf.table is NULL:
            raise MemoryError
        self.search.table = &self.table.table
        self.search.evaluate = self.evaluation.evaluate
        self.search.weights = self.evaluation.weights
        self.search.disc_value = self.evaluation.disc_value
        self.search.control = &control.control if control is not None else NULL
        self.begin(board, alpha, beta)

    def __dealloc__(self):
        coroutine_free(self.search.coroutine)
        free(self.search.leaf.table)

    def begin(self, OthelloBoard board not None, alpha=-SCORE_MAX, beta=SCORE_MAX):
        """Drop the search and begin another with the same tables; `nodes` starts from 0.

        Arguments and errors as of the class; the board must be of the same size as the first if
        the evaluation is.
        """
        if not -SCORE_MAX <= alpha < beta <= SCORE_MAX:
            raise ValueError(f"a window is -64 <= alpha < beta <= 64, not ({alpha}, {beta})")
        self._enter()
        coroutine_free(self.search.coroutine)
        self.board = board
        self.is_done = self.is_running = False
        self.search.kernel = othello_kernel()
        self.search.leaf.squares = board_squares(board.size)
        self.search.leaf.corners = board_corners(board.size)
        self.search.leaf.nodes = self.search.nodes_told = 0
        self.search.root = board.board
        self.search.alpha = alpha
        self.search.beta = beta
        self.search.best_move = SQUARE_NONE
        endgame_list_root_moves(&self.search)
        self.search.coroutine = coroutine_new(endgame_body, &self.search)
        if self.search.coroutine is NULL:
            raise MemoryError

    cdef int _enter(self) except -1:
        # The stack has room for one.
        if self.is_running:
            raise RuntimeError("a thread is in this search already")
        return 0

    def step(self, nodes):
        """Search on for about so many nodes: 4,096 more at most, fewer if stopped or done.

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
        cdef bint is_left = True
        cdef uint64_t end = min(self.search.leaf.nodes + int(nodes), STEP_END_MAX)
        self.is_running = True
        with nogil:
            if self.search.control is NULL or not control_is_stopped(self.search.control):
                self.search.step_end = end
                self.search.leaf.poll_at = min(end, self.search.leaf.nodes + POLL_NODES)
                is_left = coroutine_resume(self.search.coroutine)
                endgame_tell(&self.search)
        self.is_running = False
        self.is_done = not is_left
        return self.is_done

    def run(self):
        """Search to the end, or until the control stops it; whether the search is done."""
        return self.step(STEP_END_MAX)

    @property
    def nodes(self):
        """Boards visited so far, as the module counts them."""
        return self.search.leaf.nodes

    @property
    def window(self):
        """The window (alpha, beta)."""
        return self.search.alpha, self.search.beta

    @property
    def score(self):
        """The fail-soft score of the finished search; None before."""
        return self.search.score if self.is_done else None

    @property
    def best_move(self):
        """The best move so far by name; None if there is no move, or none known yet.

        Of a finished search it has the search's score; if that is <= alpha no move is known to be
        best, and this is the one that was best in order or in an earlier pass.
        """
        if self.search.best_move == SQUARE_NONE:
            return None
        return square_name(self.search.best_move, self.board.size)

    @property
    def move_bounds(self):
        """What is proved so far of each legal move's score, in order of search.

        A dict from the move's name to (lower, upper, nodes), for the side to move.
        """
        return {
            square_name(self.search.root_moves[i].square, self.board.size): (
                self.search.root_moves[i].lower, self.search.root_moves[i].upper,
                self.search.root_moves[i].work)
            for i in range(self.search.root_count)
        }
