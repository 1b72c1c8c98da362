"""A reproducible chess search for the UCI engine: in a thread of its own, and then by a fleet.

The result of an iteration depends only on the position, the game before it and the depth, not on
the machines that search. The clock decides only how deep the search comes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Protocol

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.parts.answer import (
    DEPTH_MAX,
    DEPTH_MIN,
    ExactAnswer,
    ExactQuestion,
    best_line,
)
from engine_ext.control import RunControl
from engine_ext.search.table import KeyedTable
from master.cli.output import echo_notice
from master.contract.errors import MasterError
from master.contract.search_views import SearchView
from master.games.chess.exact_report import best_of
from master.games.chess.uci.thinking import Thinking
from master.games.chess.uci.wording import Iteration

ALONE_NODES = 200_000
"""Some 200 ms: until then a fleet would hardly be quicker."""


class Fleet(Protocol):
    """Analysers that search for this board alone; they are loaded where they are asked for only."""

    def ask(
        self, question: ExactQuestion, on_view: Callable[[SearchView], None]
    ) -> Future[ExactAnswer]:
        """Have a question answered; it may raise MasterError.  Cancelling it gives it up."""


class ExactUciSearch:
    """One search, which starts when it is made; like uci_search.UciSearch.

    Args:
        thinking: the position, the depth, and the time after which no iteration begins.
        table: of earlier searches too.
        elapsed_s: seconds since `go`.
        report: called in the thread: with each finished iteration, and at the end with the last one
            and `is_end`.
        fleet: takes over after a moment.
    """

    current_move: tuple[str, int] | None = None
    """The current move is not known."""

    def __init__(
        self,
        thinking: Thinking,
        table: KeyedTable,
        elapsed_s: Callable[[], float],
        report: Callable[[Iteration, bool], None],
        fleet: Fleet | None = None,
    ) -> None:
        self._thinking = thinking
        self._table = table
        self._elapsed_s = elapsed_s
        self._report = report
        self._fleet = fleet
        self._asked: Future[ExactAnswer] | None = None
        self._control = RunControl()
        # Nodes of searches that are over, and the one under way here.
        self._counted: tuple[int, ExactSearch | None] = 0, None
        table.begin_search()
        threading.Thread(target=self._run, name="chess search", daemon=True).start()

    @property
    def nodes(self) -> int:
        """Positions visited so far, but for those that a line is read with."""
        before, search = self._counted
        return before + (0 if search is None else search.nodes)

    @property
    def fill(self) -> float:
        """Of the table, 0 to 1."""
        return self._table.fill

    def stop(self) -> None:
        """Have it end soon, with a move in any case; the end is reported."""
        self._control.stop()
        asked = self._asked
        if asked is not None:
            asked.cancel()

    def _run(self) -> None:
        """Search, and check the clock between iterations."""
        boards = self._thinking.wish.boards
        before = GameBefore.of_game(boards)
        last = Iteration(0, 0, ())
        try:
            for depth in range(DEPTH_MIN, max(self._depth_max, DEPTH_MIN) + 1):
                found = self._deepen(ExactQuestion(boards[-1], before, depth))
                if found is None:
                    break
                last = self._iteration(boards[-1], found)
                self._report(last, False)
                if self._elapsed_s() >= self._thinking.soft_deadline_s or self._is_spent:
                    break
        finally:
            self._report(last, True)

    @property
    def _depth_max(self) -> int:
        return min(self._thinking.depth_max, DEPTH_MAX)

    @property
    def _is_spent(self) -> bool:
        nodes_max = self._thinking.wish.go.nodes
        return nodes_max is not None and self.nodes >= nodes_max

    def _deepen(self, question: ExactQuestion) -> ExactAnswer | None:
        """Return the answer at a depth; None: the search was broken off."""
        if self._fleet is None or self.nodes < ALONE_NODES:
            return self._deepen_alone(question)
        try:
            return self._deepen_together(self._fleet, question)
        except MasterError as error:
            echo_notice(f"the fleet cannot search: {error}; this machine goes on alone")
            self._fleet = None
            return self._deepen_alone(question)

    def _deepen_together(self, fleet: Fleet, question: ExactQuestion) -> ExactAnswer | None:
        before = self.nodes

        def count(view: SearchView) -> None:
            self._counted = before + view.nodes, None

        asked = self._asked = fleet.ask(question, count)
        if self._control.is_stopped:  # while it was asked
            asked.cancel()
        try:
            found = asked.result()
        except CancelledError:
            return None
        finally:
            self._asked = None
        self._counted = before + found.nodes, None
        return found

    def _deepen_alone(self, question: ExactQuestion) -> ExactAnswer | None:
        position, depth, before = question.position, question.depth, question.before
        # Without its first iteration it has no move: that one is over in a millisecond.
        control = RunControl() if depth == DEPTH_MIN else self._control
        search = ExactSearch(
            position, depth, first_depth=depth, before=before, table=self._table, control=control
        )
        self._counted = self.nodes, search
        search.run()
        value = search.value
        if control.is_stopped or value is None:
            return None
        line = best_line(position, depth, value, before, self._table, control)
        if control.is_stopped:
            return None
        return ExactAnswer(value, depth, line, self.nodes)

    def _iteration(self, board: ChessBoard, found: ExactAnswer) -> Iteration:
        value, moves = best_of(found).value, found.line
        if self._thinking.is_chess960:
            moves = castled_as_in_chess960(board, moves)
        return Iteration(found.depth, found.depth, ((value, moves),))


def castled_as_in_chess960(board: ChessBoard, moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line with castling written as the king takes its rook."""
    written = []
    for move in moves:
        after = board.play(move)
        written.append(
            next(name for name in board.moves(True) if board.play(name).key == after.key)
        )
        board = after
    return tuple(written)
