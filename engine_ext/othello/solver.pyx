"""The solver: one endgame search at a time, in steps.

Knows the search's memory and its face for Python.  Must not know how the search goes
(endgame.pyx), nor what its scores are used for.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from engine_ext.control cimport RunControl
from engine_ext.othello.board cimport (
    OTHELLO_LEAF_TABLE_BITS, SCORE_MAX, SQUARE_NONE, LeafEntry, OthelloBoard, board_corners,
    board_squares)
from engine_ext.othello.endgame cimport (
    FINISHED_VALUE, endgame_body, endgame_list_root_moves, endgame_poll)
from engine_ext.othello.evaluation cimport Evaluation, MobilityEvaluation
from engine_ext.othello.midgame cimport DISC, HEURISTIC_MAX
from engine_ext.othello.node cimport sight_of
from engine_ext.othello.board_search cimport BoardSearch
from engine_ext.othello.table cimport HashTable

# Half of what FFO #45 stores above the leaves; four times as much would gain it little.
TABLE_BYTES = 1 << 26


cdef class Solver(BoardSearch):
    """One search of a board under a window, which can be left and gone on with.

    Args:
        board: what to solve; its side to move is whose view all scores take.
        alpha, beta: the window, -64 <= alpha < beta <= 64: (-1, 1) tells win, loss or draw.
        table: keeps positions of LEAF_EMPTIES empty squares and more; a new one by default.
        control: counts nodes as steps; a stopped search stays where it is.
        evaluation: orders moves; MobilityEvaluation by default.
        judge_table: of fast searches by the same evaluation (search.pyx).  With it scores are
            probable, not proved: what such a search sees far outside the window is not searched.
            `table` then holds such scores and no others.

    Raises:
        ValueError: there is no such window, or an evaluation that counts no discs is to judge.
        TypeError: the evaluation is of no kind.
        MemoryError: there is no memory for the search.
    """

    def __cinit__(self, OthelloBoard board not None, alpha=-SCORE_MAX, beta=SCORE_MAX,
                  HashTable table=None, RunControl control=None, Evaluation evaluation=None,
                  *, HashTable judge_table=None):
        self._keep(
            table if table is not None else HashTable(TABLE_BYTES), control,
            evaluation if evaluation is not None else MobilityEvaluation(board.size),
            &self.search.leaf.nodes, &self.search.leaf.poll_at)
        self.search.stepped = &self.stepped
        self.search.leaf.poll = endgame_poll
        self.search.leaf.table = <LeafEntry *>calloc(
            1 << OTHELLO_LEAF_TABLE_BITS, sizeof(LeafEntry))
        if self.search.leaf.table is NULL:
            raise MemoryError
        self.search.table = &self.table.table
        self.search.disc_value = self.evaluation.disc_value
        if judge_table is not None:
            self._appoint_judge(judge_table)
        self.begin(board, alpha, beta)

    cdef int _appoint_judge(self, HashTable table) except -1:
        """Have scores judged by an evaluation first.  Errors: ValueError.  GIL: needs."""
        if self.search.disc_value != DISC:
            raise ValueError(f"an evaluation that judges scores counts {DISC} for a disc, "
                             f"not {self.search.disc_value}")
        self.judge_table = table
        self.judge.table = &table.table
        self.judge.is_fast = True
        self.judge.poll_at = <uint64_t>-1             # its searches are short
        self.search.judge = &self.judge
        return 0

    def __dealloc__(self):
        free(self.search.leaf.table)

    def begin(self, OthelloBoard board not None, alpha=-SCORE_MAX, beta=SCORE_MAX):
        """Drop the search and begin another with the same tables; `nodes` starts from 0.

        Arguments and errors as of the class; the board must be of the same size as the first if
        the evaluation is.
        """
        if not -SCORE_MAX <= alpha < beta <= SCORE_MAX:
            raise ValueError(f"a window is -64 <= alpha < beta <= 64, not ({alpha}, {beta})")
        self._enter()
        self.board = board
        self.search.sight = sight_of(self.evaluation, board.size, FINISHED_VALUE, 0)
        self.judge.sight = sight_of(self.evaluation, board.size, DISC, HEURISTIC_MAX)
        self.search.leaf.squares = board_squares(board.size)
        self.search.leaf.corners = board_corners(board.size)
        self.search.root = board.board
        self.search.alpha = alpha
        self.search.beta = beta
        self.stepped.best_move = SQUARE_NONE
        self.is_running = True
        with nogil:  # a look at each move takes a millisecond in all, and others may wait
            endgame_list_root_moves(&self.search)
        self.is_running = False
        self._begin(endgame_body, &self.search)

    @property
    def window(self):
        """The window (alpha, beta)."""
        return self.search.alpha, self.search.beta

    @property
    def move_estimates(self):
        """About what each legal move is worth, by a look ahead, in order of search.

        A dict from the move's name to the value for the side to move, in the evaluation's unit.
        """
        return {
            self._move_name(self.stepped.root_moves[i].move): self.stepped.root_moves[i].estimate
            for i in range(self.stepped.root_count)
        }

    @property
    def examined(self):
        """Positions that were evaluated so far to put moves in order; they are not nodes."""
        return self.search.sight.examined

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
        return self._best_name()
