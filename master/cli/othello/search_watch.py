"""A search of one board with its progress shown, if it takes a while.

Ctrl-C ends it between two steps.
"""

from __future__ import annotations

import time

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, answer
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
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
    steps, started = answer(question), time.perf_counter()
    with ProgressDisplay(is_quiet=is_quiet) as progress:
        while True:
            try:
                status = next(steps)
            except StopIteration as end:
                found: BoardAnswer = end.value
                return found
            seconds = time.perf_counter() - started
            if limit_s is not None and seconds >= limit_s:
                return status
            if seconds >= FIRST_PLAIN_S:
                progress.draw_line(status_line(status, seconds))


def status_line(status: BoardStatus, seconds: float) -> str:
    """Return the progress of a search after so many seconds, in one line."""
    value = "" if status.value is None else f", {value_text(status.value, is_exact=False)}"
    line = f" {' '.join(status.pv)}" if status.pv else ""
    speed = status.nodes / seconds / 1e6
    return f"{status.phase}{value}{line}: {status.nodes:,} nodes, {speed:.1f} M/s, {seconds:.0f} s"
