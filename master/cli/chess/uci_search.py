"""Searches in threads of their own, for the UCI engine: fast ones, and reproducible ones.

Of a fast search the first thread reports each iteration.  The others search the same position
beside it and help by their entries in the table.  The number of threads and the order of their
steps change the result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from typing import Protocol

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fast.search import DEPTH_MAX, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.parts.answer import DEPTH_MAX as EXACT_DEPTH_MAX
from engine_ext.chess.parts.answer import (
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
from master.games.chess.probe_rounds import rook_words
from master.games.chess.uci.thinking import Thinking
from master.games.chess.uci.wording import Iteration

END_S_MAX = 5.0
"""A stopped search ends within milliseconds; after so long the wait is given up."""


class UciSearch:
    """One search, which starts when it is made.

    Args:
        thinking: the position, the depth, and the time after which no iteration begins.
        table: that all threads share.
        elapsed_s: seconds since `go`.
        report: called in the first thread: with each finished iteration, and at the end with the
            last result and `is_end`.
    """

    def __init__(
        self,
        thinking: Thinking,
        table: FastTable,
        elapsed_s: Callable[[], float],
        report: Callable[[Iteration, bool], None],
    ) -> None:
        self._thinking = thinking
        self._elapsed_s = elapsed_s
        self._report = report
        count = thinking.wish.options.threads
        self._table = table
        self._controls = [RunControl() for _ in range(count)]
        table.begin_search()
        self._searches = [_search(thinking, table, control) for control in self._controls]
        self._helpers = [
            threading.Thread(target=_help, args=(search,), name="chess helper", daemon=True)
            for search in self._searches[1:]
        ]
        self._first = threading.Thread(target=self._run, name="chess search", daemon=True)
        for thread in (*self._helpers, self._first):
            thread.start()

    @property
    def nodes(self) -> int:
        """Positions visited by all threads so far."""
        return sum(search.nodes for search in self._searches)

    @property
    def fill(self) -> float:
        """Of the table, 0 to 1."""
        return self._table.fill

    @property
    def current_move(self) -> tuple[str, int] | None:
        """The move that the first thread is at, and its number."""
        return self._searches[0].current_move

    def stop(self) -> None:
        """Have it end soon; the end is reported."""
        for control in self._controls:
            control.stop()

    def _run(self) -> None:
        """Search, and check the clock between iterations: another thread would be late."""
        search, thinking = self._searches[0], self._thinking
        try:
            while search.depth < thinking.depth_max and search.deepen():
                self._report(_iteration(search), False)
                if self._elapsed_s() >= thinking.soft_deadline_s:
                    break
        finally:
            self.stop()
            for helper in self._helpers:
                helper.join(END_S_MAX)
            self._report(_iteration(search), True)


def _search(thinking: Thinking, table: FastTable, control: RunControl) -> FastSearch:
    wish = thinking.wish
    nodes = wish.go.nodes
    return FastSearch(
        wish.boards[-1],
        before=wish.boards[:-1],
        table=table,
        control=control,
        moves=wish.go.moves,
        line_count=wish.options.line_count,
        nodes_max=0 if nodes is None else max(nodes // wish.options.threads, 1),
        is_chess960=thinking.is_chess960,
    )


def _help(search: FastSearch) -> None:
    while search.depth < DEPTH_MAX and search.deepen():
        pass


def _iteration(search: FastSearch) -> Iteration:
    return Iteration(search.depth, search.selective_depth, tuple(search.lines))


ALONE_NODES = 200_000
"""Some 200 ms: until then a fleet would hardly be quicker."""


class Fleet(Protocol):
    """Analysers that search for this board alone; they are loaded where they are asked for only."""

    def ask(
        self, question: ExactQuestion, on_view: Callable[[SearchView], None]
    ) -> Future[ExactAnswer]:
        """Have a question answered; it may raise MasterError.  Cancelling it gives it up."""


class ExactUciSearch:
    """One search, which starts when it is made; like UciSearch.

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
        return min(self._thinking.depth_max, EXACT_DEPTH_MAX)

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
            moves = rook_words(board, moves)
        return Iteration(found.depth, found.depth, ((value, moves),))
