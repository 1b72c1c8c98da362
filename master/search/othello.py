"""Othello endgames for the parallel search: the game's tree, and an engine that solves its parts.

Knows boards, the endgame solver and its table.  Must not know who searches what.  A position is
its size and its discs, the side to move first, whichever colour that is; depth is the number of
empty squares; values are discs, windows beyond -64 .. 64 are cut to that.
"""

import struct
from collections.abc import Sequence

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.search import Search, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from master.search.events import MoveBounds, TableEntry
from master.search.game import Child

SCORE_MAX = 64
DISC = 100  # of an evaluation's units
ESTIMATE_DEPTH = 0
ESTIMATE_BYTES = 1 << 20
TABLE_BYTES = 1 << 22  # of each simulated analyser: 256 of them have a gigabyte

_POSITION = struct.Struct("<BQQ")


def to_position(board: OthelloBoard) -> bytes:
    """Return a board as the search's trees know it."""
    return _POSITION.pack(board.size, board.player, board.opponent)


def to_board(position: bytes) -> OthelloBoard:
    """Return the board of a position, the side to move as black."""
    size, player, opponent = _POSITION.unpack(position)
    return OthelloBoard(player, opponent, "X", size)


class OthelloEndgame:
    """The rules of a `Game`: moves by their squares from a1, b1, ... on; a pass is an only move.

    The laboratory does not charge the master for estimates: they are static by default, .1 us
    each.  Searches to depth 4 save 64 analysers a quarter of their nodes (FFO #41), but take the
    master .6 ms a split, more than it has.

    Args:
        evaluation: guesses where values lie; of a unit of 1/100 disc.
        estimate_depth: how deep it looks ahead; 0: not at all.
    """

    def __init__(
        self, evaluation: Evaluation | None = None, estimate_depth: int = ESTIMATE_DEPTH
    ) -> None:
        self._evaluation = evaluation if evaluation is not None else default_evaluation(8)
        self._estimate_depth = estimate_depth
        self._table = HashTable(ESTIMATE_BYTES)

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        """Return the positions after each legal move, in canonical order."""
        board = to_board(position)
        if depth == 0 or board.is_over:
            return ()
        if board.must_pass:
            return (self._child(board.passed(), depth),)
        return [self._child(board.play(move), depth - 1) for move in board.moves()]

    def _child(self, after: OthelloBoard, depth: int) -> Child:
        return Child(to_position(after), depth, self._estimate(after))

    def _estimate(self, board: OthelloBoard) -> int:
        """Return about what a board is worth, in discs for its side to move."""
        if board.is_over:
            return board.final_score
        value: int | None = self._evaluation.value(board)
        depth = min(self._estimate_depth, board.empties)
        if depth > 0:
            search = Search(board, depth, table=self._table, evaluation=self._evaluation)
            search.run()
            value = search.value
        assert value is not None
        return max(-SCORE_MAX, min(round(value / DISC), SCORE_MAX))


class SolverEngine:
    """The laboratory's `Engine` over the endgame solver.

    A donation begins the search of the kept move's position anew: what was found below it is in
    the table but for the path at hand.

    Args:
        table: of its own; a new one by default.
        evaluation: orders moves.
    """

    def __init__(self, table: HashTable | None = None, evaluation: Evaluation | None = None):
        self._table = table if table is not None else HashTable(TABLE_BYTES)
        evaluation = evaluation if evaluation is not None else default_evaluation(8)
        self._solver = Solver(OthelloBoard.start(), table=self._table, evaluation=evaluation)
        self._board = OthelloBoard.start()
        self._window = -SCORE_MAX, SCORE_MAX
        self._is_searching = False

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> None:
        """Begin a search; the last one, finished or not, is over."""
        self._board = to_board(position)
        if depth != self._board.empties:
            raise ValueError(f"expected depth {self._board.empties}, the empties, not {depth}")
        self._begin(alpha, beta)

    def _begin(self, alpha: int, beta: int) -> None:
        self._window = alpha, beta = max(alpha, -SCORE_MAX), min(beta, SCORE_MAX)
        # No value is outside: of a window there nothing is to be found out.
        self._is_searching = alpha < beta
        if self._is_searching:
            self._solver.begin(self._board, alpha, beta)

    def step(self, nodes: int) -> int:
        """Search on for about so many nodes; return how many there were."""
        if not self._is_searching:
            return 0
        before = self._solver.nodes
        self._solver.step(nodes)
        return self._solver.nodes - before

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""
        return not self._is_searching or self._solver.is_done

    def proved(self) -> tuple[int, int]:
        """Return (lower, upper) of the position's value, whether it is finished or not."""
        if not self._is_searching:
            return -SCORE_MAX, SCORE_MAX
        known = self._solver.move_bounds.values()
        lower = max((each[0] for each in known), default=-SCORE_MAX)
        upper = max((each[1] for each in known), default=SCORE_MAX)
        score = self._solver.score
        if score is not None:
            alpha, beta = self._window
            lower = max(lower, score) if score > alpha else lower
            upper = min(upper, score) if score < beta else upper
        return lower, upper

    def best(self) -> int | None:
        """Return the best move found so far."""
        if not self._is_searching or self._solver.best_move is None:
            return None
        return self._board.moves().index(self._solver.best_move)

    def moves(self) -> tuple[MoveBounds, ...]:
        """Return what is proved of the position's moves."""
        if not self._is_searching:
            return ()
        known = self._solver.move_bounds
        return tuple(
            MoveBounds(index, *known[move][:2])
            for index, move in enumerate(self._board.moves())
            if known[move][:2] != (-SCORE_MAX, SCORE_MAX)
        )

    def donate(self) -> int | None:
        """Give away all moves but the one that is searched; return it, None: there is no other."""
        if self.is_done:
            return None
        known = self._solver.move_bounds
        waiting = [move for move, (_, _, nodes) in known.items() if nodes == 0]
        if len(waiting) < 2:
            return None
        alpha, beta = self._window
        alpha = max([alpha, *(lower for lower, _, _ in known.values())])
        index = self._board.moves().index(waiting[0])
        self._board = self._board.play(waiting[0])
        self._begin(-beta, -alpha)
        return index

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        """Return table entries of at least this depth that are new since the last call."""
        return tuple(TableEntry(*entry) for entry in self._table.news(depth_min))

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        """Take over other analysers' entries."""
        self._table.learn((entry.key, entry.content) for entry in entries)
