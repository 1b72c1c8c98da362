"""A search of a fixed depth, in steps.

Knows the search's memory and its face for Python.  Must not know how the search goes (midgame.pyx),
nor what its values are used for.

Values are in 1/100 disc for the side to move: of the evaluation, and of finished games.  For exact
scores, in discs, there is solver.pyx.
"""

from engine_ext.control cimport RunControl
from engine_ext.othello.board cimport SQUARE_NONE, Board, OthelloBoard, board_passed
from engine_ext.othello.evaluation cimport Evaluation
from engine_ext.othello.midgame cimport (
    DEPTH_MAX, DISC, HEURISTIC_MAX, VALUE_MAX, midgame_body, midgame_list_root_moves)
from engine_ext.othello.node cimport sight_moves, sight_of, sight_played
from engine_ext.othello.board_search cimport BoardSearch
from engine_ext.othello.table cimport HashTable, entry_move
from engine_ext.search.table cimport TableEntry, table_probe

from engine_ext.othello.board import square_name
from engine_ext.othello.features import FourTermEvaluation
from engine_ext.othello.patterns import load_patterns

ALGORITHMS = ("pvs", "mtdf")
MODES = ("reproducible", "fast")

# Two million entries: a search of depth 14 stores about as many.
TABLE_BYTES = 1 << 26


def default_evaluation(size):
    """Return the shipped patterns for 8 x 8 boards, the four terms for smaller ones."""
    return load_patterns() if size == 8 else FourTermEvaluation(size)


cdef class DepthSearch(BoardSearch):
    """One search of a board, which can be left and gone on with.

    Args:
        board: what to search; its side to move is whose view all values take.
        depth: moves to look ahead, 0 to 60; a pass is none.
        alpha, beta: the window in 1/100 disc, -6400 <= alpha < beta <= 6400.
        first_depth: the iterations go from here to `depth`; fast ones every other, back from it.
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
        self._keep(
            table if table is not None else HashTable(TABLE_BYTES), control,
            evaluation if evaluation is not None else default_evaluation(board.size),
            &self.search.nodes, &self.search.poll_at)
        self.search.stepped = &self.stepped
        self.search.sight = sight_of(self.evaluation, board.size, DISC, HEURISTIC_MAX)
        self.search.table = &self.table.table
        self.search.root = board.board
        self.search.alpha = alpha
        self.search.beta = beta
        self.search.depth = depth
        self.search.depth_first = min(first_depth, depth)
        self.search.is_mtdf = algorithm == "mtdf"
        self.search.is_fast = mode == "fast"
        self.search.depth_begun = self.search.depth_done = -1
        self.stepped.best_move = SQUARE_NONE
        midgame_list_root_moves(&self.search)
        self._begin(midgame_body, &self.search)

    @property
    def depth(self):
        """Depth of the last finished iteration; -1 before."""
        return self.search.depth_done

    @property
    def depth_begun(self):
        """Depth of the iteration that was begun last, which `move_bounds` is of; -1 before."""
        return self.search.depth_begun

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
        return self._best_name()

    @property
    def pv(self):
        """The best line of the last finished iteration as far as the table has it."""
        cdef TableEntry entry
        cdef Board board = self.search.root
        cdef int square = self.stepped.best_move, depth = self.search.depth_done
        line = []
        while square != SQUARE_NONE:
            line.append(square_name(square, self.board.size))
            board = sight_played(&self.search.sight, &board, square)
            if sight_moves(&self.search.sight, &board) == 0:
                board = board_passed(&board)
            depth -= 1
            square = SQUARE_NONE
            if table_probe(self.search.table, board.player, board.opponent, depth, &entry):
                square = entry_move(&entry)
        return line


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
