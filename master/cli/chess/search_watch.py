"""A fast search of a chess position with its progress shown, if it takes a while.

Ctrl-C ends it, and its results by then are not lost.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from engine_ext.chess.fast.table import FastTable
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.games.chess.search_report import ChessAnswer, effort_text, status_line
from master.games.chess.threaded_search import ChessQuestion, ThreadedSearch

TICK_S = 0.25
"""Time between two updates of the progress: a counter that moves."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The end of a watched search.

    Args:
        answer: the result so far.
        is_interrupted: whether Ctrl-C ended it.
    """

    answer: ChessAnswer
    is_interrupted: bool


def watched(
    question: ChessQuestion,
    table: FastTable,
    limit_s: float | None = None,
    *,
    is_quiet: bool = False,
) -> Watched:
    """Search, and show the progress, until the search ends, the time is over, or Ctrl-C ends it.

    Args:
        question: the position and the limits.
        table: results of earlier searches.
        limit_s: time to search; a mate within the depth needs no more of it; None: no limit.
        is_quiet: whether nothing is shown where there is no terminal.
    """
    started, is_interrupted = time.perf_counter(), False
    with ThreadedSearch(question, table) as search:
        try:
            with ProgressDisplay(is_quiet=is_quiet) as progress:
                _watch(question, search, limit_s, progress)
        except KeyboardInterrupt:
            is_interrupted = True
        status = search.stop()
    seconds = time.perf_counter() - started
    answer = ChessAnswer(question.board, status, search.nodes, seconds, question.thread_count)
    return Watched(answer, is_interrupted)


def _watch(
    question: ChessQuestion,
    search: ThreadedSearch,
    limit_s: float | None,
    progress: ProgressDisplay,
) -> None:
    """Show the progress until the search or the time is over."""
    started = time.perf_counter()
    while not search.is_over:
        seconds = time.perf_counter() - started
        status = search.status
        if limit_s is not None and (seconds >= limit_s or (status and status.is_settled)):
            return
        if seconds >= FIRST_PLAIN_S:
            effort = effort_text(search.nodes, seconds)
            progress.draw_line(status_line(question.board, status, effort))
        left_s = TICK_S if limit_s is None else limit_s - seconds
        search.wait(min(left_s, TICK_S))
