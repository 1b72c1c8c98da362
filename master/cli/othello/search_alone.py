"""A search of a board by one thread: watched, or until a fleet can help.

The thread searches from the first moment, while this process prepares its fleet.  Its results by
then are in a table that the fleet goes on with.  Ctrl-C ends it between two steps.
"""

from __future__ import annotations

import math
import threading

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, answer
from engine_ext.othello.parts import PartKind, TableName
from engine_ext.othello.shared_table import TABLE_BYTES, shared_table
from engine_ext.othello.table import HashTable
from master.cli.searching.steps import watched_steps
from master.games.othello.search_report import value_text


def watched(
    question: BoardQuestion, limit_s: float | None = None, *, is_quiet: bool = False
) -> BoardAnswer | BoardStatus:
    """Search, and show the progress; return the answer, or the progress when the time is up.

    Args:
        question: the board and the depth.
        limit_s: time to search; None: until it is answered.
        is_quiet: whether nothing is shown where there is no terminal.
    """
    return watched_steps(
        answer(question),
        status_line,
        lambda status, seconds: limit_s is not None and seconds >= limit_s,
        is_quiet=is_quiet,
    )


def status_line(status: BoardStatus, seconds: float) -> str:
    """Return the progress of a search after so many seconds, in one line."""
    value = "" if status.value is None else f", {value_text(status.value, is_exact=False)}"
    line = f" {' '.join(status.pv)}" if status.pv else ""
    speed = status.nodes / seconds / 1e6
    return f"{status.phase}{value}{line}: {status.nodes:,} nodes, {speed:.1f} M/s, {seconds:.0f} s"


ALONE_NODES = {PartKind.SOLVE: 100_000_000, PartKind.DEPTH: 15_000_000}
"""Two to three seconds.  To get a fleet together takes both cores of a machine that has two half a
second, and a search of 1.7 s took 2.8 s when it began to share after .6 s."""

NEWS_DEPTH = 14
"""Least depth of entries sent to other analysers later: each covers some thousand nodes."""


class Alone:
    """A search by one thread, which may be given up.

    Attributes:
        status: the progress; None: it has hardly begun.
        answer: at its end.
    """

    def __init__(self, question: BoardQuestion) -> None:
        self._question = question
        self._kind = PartKind.SOLVE if question.is_solved else PartKind.DEPTH
        self._table = HashTable(TABLE_BYTES)
        self._table.news(NEWS_DEPTH)  # begins its journal
        self._steps = answer(question, self._table)
        self._is_stopped = False
        self._thread: threading.Thread | None = None
        self._mistake: Exception | None = None
        self.status: BoardStatus | None = None
        self.answer: BoardAnswer | None = None

    @property
    def nodes(self) -> int:
        """Boards visited so far."""
        return 0 if self.status is None else self.status.nodes

    @property
    def is_over(self) -> bool:
        """Whether it was answered, or is not searched any more."""
        return self.answer is not None or self._mistake is not None

    def search_a_moment(self) -> BoardAnswer | None:
        """Search for a moment; return the answer if that was enough."""
        self._search(ALONE_NODES[self._kind])
        return self.answer

    def _search(self, nodes_max: float) -> None:
        while self.answer is None and self.nodes < nodes_max and not self._is_stopped:
            try:
                self.status = next(self._steps)
            except StopIteration as end:
                self.answer = end.value

    def go_on(self) -> None:
        """Search on in a thread until `stop`."""
        self._thread = threading.Thread(target=self._work, name="alone")
        self._thread.start()

    def _work(self) -> None:
        try:
            self._search(math.inf)
        except Exception as error:  # raised again by the call that stops it
            self._mistake = error

    def wait(self) -> BoardAnswer:
        """Return the answer when there is one."""
        assert self._thread is not None, "it goes on"
        self._thread.join()
        found = self.stop()
        assert found is not None, "nobody stopped it"
        return found

    def stop(self) -> BoardAnswer | None:
        """End the thread, within a step; return the answer if there is one."""
        self._is_stopped = True
        if self._thread is not None:
            self._thread.join()
        if self._mistake is not None:
            raise self._mistake
        return self.answer

    def pass_on(self, engine: str) -> None:
        """Have this process's analyser go on with the table, and tell others of it.

        Args:
            engine: digest of the engine.
        """
        name = TableName(engine, self._kind, self._question.board.size)
        news = self._table.news(NEWS_DEPTH)
        shared_table(name, self._table).add_news(news)
