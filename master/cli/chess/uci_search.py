"""A chess search in threads of its own, for the UCI engine.

The first thread searches, iteration after iteration, and reports each. The others search the same
position beside it and help by their entries in the table. The number of threads and the order of
their steps change the result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine_ext.chess.fast.search import DEPTH_MAX, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.control import RunControl
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
