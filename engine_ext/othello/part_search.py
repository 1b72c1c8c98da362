"""Searching a part of an Othello game tree: what is proved of it at any moment.

Knows the searches and their tables.  Must not know who asks, nor how a part travels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.parts import DISC, SCORE_MAX, VALUE_MAX, PartKind
from engine_ext.othello.search import Search, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.part_text import PartAnswer, ProvedMove

MoveBounds = dict[str, tuple[int, int, int]]


def to_score(value: int) -> int:
    """Return the score that a value in 1/100 disc is nearest to, even or odd."""
    return max(-SCORE_MAX, min(round(value / DISC), SCORE_MAX))


class PartSearch(ABC):
    """What parts of both kinds have in common; values are in the kind's unit.

    Args:
        kind: what values mean.
        search: made by the subclass.
    """

    def __init__(self, kind: PartKind, search: Solver | Search) -> None:
        self._value_max = kind.value_max
        self._search = search
        self._board = search.board
        self._moves: tuple[str, ...] = ()  # of the board
        self._window = -kind.value_max, kind.value_max
        self._is_searching = False

    def _enter(self, board: OthelloBoard, alpha: int, beta: int) -> bool:
        """Note what is asked; whether there is anything to search."""
        self._board = board
        self._moves = board.moves()
        self._window = max(alpha, -self._value_max), min(beta, self._value_max)
        # No value is outside: of a window there nothing is to be found out.
        self._is_searching = self._window[0] < self._window[1]
        return self._is_searching

    @abstractmethod
    def _value(self) -> int | None:
        """Return the fail-soft value of the finished search; None before."""

    @abstractmethod
    def _known(self) -> MoveBounds:
        """Return what is proved of the moves, in order of search; empty if nothing is."""

    def _estimates(self) -> Mapping[str, int]:
        """Return about what moves are worth, as far as the search has looked, in 1/100 disc."""
        return {}

    def step(self, nodes: int) -> int:
        """Search on for about so many nodes; return how many there were."""
        if not self._is_searching:
            return 0
        before = self._search.nodes
        self._search.step(nodes)
        return self._search.nodes - before

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""
        return not self._is_searching or self._search.is_done

    def proved(self) -> tuple[int, int]:
        """Return (lower, upper) of the position's value, whether it is finished or not."""
        if not self._is_searching:
            return -self._value_max, self._value_max
        return self._proved(self._known())

    def _proved(self, known: MoveBounds) -> tuple[int, int]:
        lower = max((each[0] for each in known.values()), default=-self._value_max)
        upper = max((each[1] for each in known.values()), default=self._value_max)
        value = self._value()
        if value is not None:
            alpha, beta = self._window
            lower = max(lower, value) if value > alpha else lower
            upper = min(upper, value) if value < beta else upper
        return lower, upper

    def best(self) -> int | None:
        """Return the best move found so far, by its place."""
        if not self._is_searching or self._search.best_move is None:
            return None
        return self._moves.index(self._search.best_move)

    def moves(self) -> tuple[ProvedMove, ...]:
        """Return what is proved of the position's moves, and expected of those left to search."""
        return self._told_moves(self._known()) if self._is_searching else ()

    def _told_moves(self, known: MoveBounds) -> tuple[ProvedMove, ...]:
        nothing = -self._value_max, self._value_max, 0
        estimates = {} if self.is_done else self._estimates()
        told = []
        for place, move in enumerate(self._moves):
            lower, upper, _ = known.get(move, nothing)
            expected = estimates.get(move) if lower < upper else None
            if expected is not None or (lower, upper) != nothing[:2]:
                estimate = None if expected is None else to_score(expected)
                told.append(ProvedMove(place, lower, upper, estimate))
        return tuple(told)

    def answer(self) -> PartAnswer:
        """Return all that is proved."""
        if not self._is_searching:
            return PartAnswer(-self._value_max, self._value_max, 0)
        known = self._known()
        nodes, moves = self._search.nodes, self._told_moves(known)
        return PartAnswer(*self._proved(known), nodes, self.best(), moves)


class PartSolver(PartSearch):
    """Solves one part after another, in steps; values are discs.

    A donation begins the search of the kept move's position anew: what was found below it is in
    the table but for the path at hand.

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
        super().__init__(PartKind.SOLVE, self._solver)
        self._control: RunControl | None = None

    def begin(
        self, board: OthelloBoard, alpha: int, beta: int, control: RunControl | None = None
    ) -> None:
        """Begin a search; the last one, finished or not, is over.

        Args:
            board: what is searched.
            alpha: lower end of the window.
            beta: upper end.
            control: counts nodes as steps; once it is stopped the search stays where it is.
        """
        self._control = control
        self._solver.obey(control)
        if self._enter(board, alpha, beta):
            self._solver.begin(board, *self._window)

    def _value(self) -> int | None:
        return self._solver.score

    def _known(self) -> MoveBounds:
        return self._solver.move_bounds

    def _estimates(self) -> Mapping[str, int]:
        return self._solver.move_estimates

    @property
    def looked_at(self) -> int:
        """Positions that were evaluated so far to put moves in order."""
        return self._solver.looked_at if self._is_searching else 0

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
        place = self._moves.index(waiting[0])
        self.begin(self._board.play(waiting[0]), -beta, -alpha, self._control)
        return place


class PartDeepener(PartSearch):
    """Searches one part to a depth, iteration after iteration; values are in 1/100 disc.

    Iterations that the table has seen are left out: a driver of null windows asks again and again.
    What earlier iterations prove is of another depth: it orders moves, and is never told.

    Args:
        board: what is searched.
        depth: how deep.
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
        self._deepening = Search(
            board, depth, alpha, beta, first_depth=first, table=table, control=control
        )
        super().__init__(PartKind.DEPTH, self._deepening)
        self._enter(board, *window)

    def _value(self) -> int | None:
        return self._deepening.value if self._deepening.is_done else None

    def _known(self) -> MoveBounds:
        is_last = self._deepening.depth_begun == self._depth
        return self._deepening.move_bounds if is_last else {}


def _first_depth(board: OthelloBoard, depth: int, table: HashTable) -> int:
    """Return the depth behind the deepest one that the table knows the board at."""
    known = (each for each in range(depth, 0, -1) if table.probe(board, each) is not None)
    return min(next(known, 0) + 1, depth)
