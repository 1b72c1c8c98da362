"""A search of a fixed depth, in steps.

Knows the search's memory and its face for Python.  Must not know how the search goes (midgame.pyx),
nor what its values are used for.

Values are in 1/100 disc for the side to move: of the evaluation, and of finished games.  For exact
scores, in discs, there is solver.pyx.
"""

from libc.stdint cimport uint64_t

from engine_ext.control cimport RunControl, control_is_stopped
from engine_ext.coroutine cimport coroutine_free, coroutine_new, coroutine_resume
from engine_ext.othello.board cimport (
    SQUARE_NONE, Board, OthelloBoard, board_after, board_passed, board_squares, othello_kernel)
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.othello.midgame cimport (
    DEPTH_MAX, POLL_NODES, VALUE_MAX, midgame_body, midgame_list_root_moves, midgame_tell)
from engine_ext.othello.table cimport HashTable, TableEntry, table_probe

from engine_ext.othello.board import square_name
from engine_ext.othello.features import FourTermEvaluation
from engine_ext.othello.patterns import load_patterns

ALGORITHMS = ("pvs", "mtdf")
MODES = ("reproducible", "fast")

# Two million entries: a search of depth 14 stores about as many.
TABLE_BYTES = 1 << 26

# More nodes than any search could visit.
STEP_END_MAX = 1 << 62


def default_evaluation(size):
    """Return the shipped patterns for 8 x 8 boards, the four terms for smaller ones."""
    return load_patterns() if size == 8 else FourTermEvaluation(size)


cdef class Search:
    """One search of a board, which can be left and gone on with.

    Args:
        board: what to search; its side to move is whose view all values take.
        depth: moves to look ahead, 0 to 60; a pass is none.
        alpha, beta: the window in 1/100 disc, -6400 <= alpha < beta <= 6400.
        first_depth: the iterations go from here to `depth`.
        table: holds values of this evaluation and mode, and no others; a new one by default.
        control: counts nodes as steps; a stopped search stays where it is.
        evaluation: default_evaluation of the board's size unless given.
        algorithm: "pvs", or "mtdf": null windows, the last value as first guess.
        mode: "reproducible": value and best move are functions of board, depth and evaluation;
            "fast": cuts off what is probably outside the window.

    Raises:
        ValueError: an argument is none of these.
        TypeError: the evaluation is of no kind.
        MemoryError: there is no memory for the search.
    """

    def __cinit__(self, OthelloBoard board not None, depth, alpha=-VALUE_MAX, beta=VALUE_MAX, *,
                  first_depth=1, HashTable table=None, RunControl control=None,
                  Evaluation evaluation=None, algorithm="pvs", mode="reproducible"):
        _check(depth, alpha, beta, first_depth, algorithm, mode)
        self.board = board
        self.algorithm = algorithm
        self.mode = mode
        self.table = table if table is not None else HashTable(TABLE_BYTES)
        self.control = control
        self.evaluation = evaluation if evaluation is not None else default_evaluation(board.size)
        if self.evaluation.evaluate is NULL:
            raise TypeError("an evaluation is of a kind, such as PatternEvaluation")
        self.search.kernel = othello_kernel()
        self.search.squares = board_squares(board.size)
        self.search.table = &self.table.table
        self.search.evaluate = self.evaluation.evaluate
        self.search.weights = self.evaluation.weights
        self.search.control = &control.control if control is not None else NULL
        self.search.root = board.board
        self.search.alpha = alpha
        self.search.beta = beta
        self.search.depth = depth
        self.search.depth_first = min(first_depth, depth)
        self.search.is_mtdf = algorithm == "mtdf"
        self.search.is_fast = mode == "fast"
        self.search.depth_done = -1
        self.search.best_move = SQUARE_NONE
        midgame_list_root_moves(&self.search)
        self.search.coroutine = coroutine_new(midgame_body, &self.search)
        if self.search.coroutine is NULL:
            raise MemoryError

    def __dealloc__(self):
        coroutine_free(self.search.coroutine)

    def step(self, nodes):
        """Search on for about so many nodes: some thousand more at most, fewer if stopped or done.

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
        if self.is_running:
            raise RuntimeError("a thread is in this search already")
        cdef bint is_left = True
        cdef uint64_t end = min(self.search.nodes + int(nodes), STEP_END_MAX)
        self.is_running = True
        with nogil:
            if self.search.control is NULL or not control_is_stopped(self.search.control):
                self.search.step_end = end
                self.search.poll_at = min(end, self.search.nodes + POLL_NODES)
                is_left = coroutine_resume(self.search.coroutine)
                midgame_tell(&self.search)
        self.is_running = False
        self.is_done = not is_left
        return self.is_done

    def run(self):
        """Search to the end, or until the control stops it; whether the search is done."""
        return self.step(STEP_END_MAX)

    @property
    def nodes(self):
        """Boards whose value was asked for so far."""
        return self.search.nodes

    @property
    def depth(self):
        """Depth of the last finished iteration; -1 before."""
        return self.search.depth_done

    @property
    def value(self):
        """The value of the last finished iteration, fail-soft; None before."""
        return self.search.value if self.search.depth_done >= 0 else None

    @property
    def best_move(self):
        """The first square, a1, b1, ... on, whose move has the value; None without one.

        Of the last finished iteration.  If the value is <= alpha no move is known to be best, and
        this is the one with the highest bound.
        """
        if self.search.best_move == SQUARE_NONE:
            return None
        return square_name(self.search.best_move, self.board.size)

    @property
    def pv(self):
        """The best line of the last finished iteration as far as the table has it."""
        cdef TableEntry entry
        cdef Board board = self.search.root
        cdef int square = self.search.best_move, depth = self.search.depth_done
        line = []
        while square != SQUARE_NONE:
            line.append(square_name(square, self.board.size))
            board = board_after(&board, square, self.search.kernel.flips(
                board.player, board.opponent, square))
            if self.search.kernel.moves(board.player, board.opponent) & self.search.squares == 0:
                board = board_passed(&board)
            depth -= 1
            square = SQUARE_NONE
            if table_probe(self.search.table, board.player, board.opponent, depth, &entry):
                square = entry.move
        return line

    @property
    def move_bounds(self):
        """What the running, or last, iteration has proved so far, in order of search.

        A dict from the move's name to (lower, upper, nodes), for the side to move.
        """
        return {
            square_name(self.search.root_moves[i].square, self.board.size): (
                self.search.root_moves[i].lower, self.search.root_moves[i].upper,
                self.search.root_moves[i].work)
            for i in range(self.search.root_count)
        }


def _check(depth, alpha, beta, first_depth, algorithm, mode):
    if not 0 <= depth <= DEPTH_MAX:
        raise ValueError(f"a depth is 0 to {DEPTH_MAX}, not {depth}")
    if first_depth < 0:
        raise ValueError(f"the first depth is 0 or more, not {first_depth}")
    if not -VALUE_MAX <= alpha < beta <= VALUE_MAX:
        raise ValueError(f"a window is -6400 <= alpha < beta <= 6400, not ({alpha}, {beta})")
    if algorithm not in ALGORITHMS:
        raise ValueError(f"an algorithm is {' or '.join(ALGORITHMS)}, not {algorithm!r}")
    if mode not in MODES:
        raise ValueError(f"a mode is {' or '.join(MODES)}, not {mode!r}")
