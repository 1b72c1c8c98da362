"""Searches a part of an Othello game tree; at any moment, it returns the proved bounds."""

from __future__ import annotations

from collections.abc import Mapping

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.parts import DISC, SCORE_MAX, VALUE_MAX, PartKind
from engine_ext.othello.search import DepthSearch, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.part_search import BoundsByMove, PartSearch


def to_score(value: int) -> int:
    """Return the score that a value in 1/100 disc is nearest to, even or odd."""
    return max(-SCORE_MAX, min(round(value / DISC), SCORE_MAX))


class PartSolver(PartSearch):
    """Solves one part after another, in steps; values are discs.

    Args:
        table: may be shared with other threads.
        evaluation: orders moves; default_evaluation of the boards' size unless given.
        size: squares a side of all boards.

    Attributes:
        table: as above.
    """

    def __init__(
        self,
        table: HashTable,
        evaluation: Evaluation | None = None,
        size: int = 8,
    ) -> None:
        evaluation = evaluation if evaluation is not None else default_evaluation(size)
        start = OthelloBoard.start(size)
        self.table = table
        self._solver = Solver(start, table=table, evaluation=evaluation)
        self._board = start
        super().__init__(PartKind.SOLVE.value_max, self._solver)
        self._control: RunControl | None = None

    def begin(
        self, board: OthelloBoard, alpha: int, beta: int, control: RunControl | None = None
    ) -> None:
        """Begin a search; the last one, finished or not, is over.

        Args:
            board: the board to search.
            alpha: lower end of the window.
            beta: upper end.
            control: counts nodes as steps; once it is stopped the search stays where it is.
        """
        self._control = control
        self._board = board
        self._solver.obey(control)
        if self._enter(board.moves(), alpha, beta):
            self._solver.begin(board, *self._window)

    def _value(self) -> int | None:
        return self._solver.score

    def _known(self) -> BoundsByMove:
        return self._solver.move_bounds

    def _estimates(self) -> Mapping[str, int]:
        return {move: to_score(value) for move, value in self._solver.move_estimates.items()}

    @property
    def examined(self) -> int:
        """Positions that were evaluated so far to put moves in order."""
        return self._solver.examined if self._is_searching else 0


class PartDeepener(PartSearch):
    """Searches one part to a depth, iteration after iteration; values are in 1/100 disc.

    Iterations with values in the table are left out: a driver of null windows asks many times.
    Bounds of earlier iterations are of another depth: they order moves, and are not in the answer.

    Args:
        board: the board to search.
        depth: of the last iteration.
        window: (alpha, beta).
        table: keeps values of default_evaluation; may be shared with other threads.
        control: counts nodes as steps; a stopped search stays where it is.
    """

    def __init__(
        self,
        board: OthelloBoard,
        depth: int,
        window: tuple[int, int],
        table: HashTable,
        control: RunControl | None = None,
    ) -> None:
        alpha, beta = max(window[0], -VALUE_MAX), min(window[1], VALUE_MAX)
        if alpha >= beta:
            alpha, beta = -VALUE_MAX, VALUE_MAX  # never searched
        self._depth = depth
        first = _first_depth(board, depth, table)
        self._deepening = DepthSearch(
            board, depth, alpha, beta, first_depth=first, table=table, control=control
        )
        super().__init__(PartKind.DEPTH.value_max, self._deepening)
        self._enter(board.moves(), *window)

    def _value(self) -> int | None:
        return self._deepening.value if self._deepening.is_done else None

    def _known(self) -> BoundsByMove:
        is_last = self._deepening.depth_begun == self._depth
        return self._deepening.move_bounds if is_last else {}


def _first_depth(board: OthelloBoard, depth: int, table: HashTable) -> int:
    """Return the depth behind the deepest one that the table knows the board at."""
    known = (each for each in range(depth, 0, -1) if table.probe(board, each) is not None)
    return min(next(known, 0) + 1, depth)
