"""A fast search of one position by several threads; the caller can watch and stop it.

The first thread's iterations are the answer.  The others search the same position with the same
table, and their entries in it make the first thread faster.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import DEPTH_MAX, MATE_VALUE, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import is_chess960
from engine_ext.control import RunControl

MATE_PLIES_MAX = 1_000
"""Values so near to MATE_VALUE are mates; no evaluation comes near."""

_PAWN = 100


def mate_moves(value: int) -> int | None:
    """Return the moves to mate, below zero if the side to move is mated; None: no mate."""
    plies = MATE_VALUE - abs(value)
    if plies > MATE_PLIES_MAX:
        return None
    return (plies + 1) // 2 if value > 0 else -(plies // 2)


def value_text(value: int) -> str:
    """Return a value in pawns with its sign, or a mate in moves."""
    mate = mate_moves(value)
    if mate is None:
        return f"{value / _PAWN:+z.2f}"
    return f"mate in {mate}" if mate > 0 else f"mated in {-mate}"


THREADS_MAX = 256
LINES_MAX = 256
"""More than the moves of any position."""

NODES_MAX = 10**15
"""Years of them."""


@dataclass(frozen=True, slots=True)
class ChessQuestion:
    """The position to search, and the limits of the search.

    Args:
        board: a position with a legal move.
        before: the game's positions before it, the oldest first.
        depth: of the last iteration.
        nodes: to visit at most, over all threads; 0: no limit.
        line_count: the number of best moves wanted.
        thread_count: the number of threads.
    """

    board: ChessBoard
    before: Sequence[ChessBoard] = ()
    depth: int = DEPTH_MAX
    nodes: int = 0
    line_count: int = 1
    thread_count: int = 1


@dataclass(frozen=True, slots=True)
class ChessLine:
    """A good move, and the moves that follow it.

    Args:
        value: of the side to move, in hundredths of a pawn, or a mate's (`values.mate_moves`).
        moves: in UCI's notation, that move first.
    """

    value: int
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChessStatus:
    """The state of a search.

    Args:
        depth: of the last finished iteration.
        selective_depth: plies of its longest line.
        lines: the best moves known, the best first.
    """

    depth: int
    selective_depth: int
    lines: tuple[ChessLine, ...]

    @property
    def is_settled(self) -> bool:
        """Whether every line is a mate within the depth that was searched."""
        return all(
            (mate := mate_moves(line.value)) is not None and 2 * abs(mate) <= self.depth
            for line in self.lines
        )


class ThreadedSearch:
    """A running search; a context manager, which ends it.

    Attributes:
        status: the result after the last iteration; None before the first.  After the end of the
            search, its final result.
    """

    def __init__(self, question: ChessQuestion, table: FastTable) -> None:
        """Prepare.

        Args:
            question: the position to search, and the limits.
            table: the transposition table; other searches may have used it.
        """
        table.begin_search()
        self._question = question
        self._control = RunControl()
        self._searches = [self._search(number, table) for number in range(question.thread_count)]
        self._threads = [
            threading.Thread(target=self._work, args=(search,), name="chess")
            for search in self._searches
        ]
        self._news = threading.Condition()
        self._mistake: Exception | None = None
        self.is_over = False
        self.status: ChessStatus | None = None

    def _search(self, number: int, table: FastTable) -> FastSearch:
        asked = self._question
        share, more = divmod(asked.nodes, asked.thread_count)
        return FastSearch(
            asked.board, asked.before, table, self._control, line_count=asked.line_count,
            nodes_max=max(1, share + (number < more)) if asked.nodes else 0,
            is_chess960=is_chess960(asked.board),
        )  # fmt: skip

    @property
    def nodes(self) -> int:
        """Positions visited so far, by all threads."""
        return sum(search.nodes for search in self._searches)

    def __enter__(self) -> Self:
        """Begin."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *ending: object) -> None:
        """Stop it."""
        self.stop()

    def wait(self, most_s: float) -> None:
        """Return when an iteration is finished or the search is over, or after so long."""
        with self._news:
            if not self.is_over:
                self._news.wait(most_s)

    def stop(self) -> ChessStatus:
        """End all threads, and return the result so far: at least a move."""
        self._control.stop()
        for thread in self._threads:
            thread.join()
        if self._mistake is not None:
            raise self._mistake
        assert self.status is not None, "the first iteration is finished in any case"
        return self.status

    def _work(self, search: FastSearch) -> None:
        is_first = search is self._searches[0]
        try:
            while search.depth < self._question.depth:
                is_finished = search.deepen()
                if is_first:
                    self._publish(search)
                if not is_finished:
                    break
        except Exception as error:  # raised again in stop()
            self._mistake = error
        if is_first:
            self._end()

    def _publish(self, search: FastSearch) -> None:
        lines = tuple(ChessLine(value, moves) for value, moves in search.lines)
        with self._news:
            self.status = ChessStatus(search.depth, search.selective_depth, lines)
            self._news.notify_all()

    def _end(self) -> None:
        """The first thread is done, and with it the others."""
        self._control.stop()
        with self._news:
            self.is_over = True
            self._news.notify_all()
