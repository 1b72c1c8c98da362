"""A search by steps in this thread, with its progress shown if it takes a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import TypeVar

from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay

S = TypeVar("S")
A = TypeVar("A")


def watched_steps(
    steps: Generator[S, None, A],
    line: Callable[[S, float], str],
    is_enough: Callable[[S, float], bool],
    *,
    is_quiet: bool = False,
) -> A | S:
    """Search, and show the progress; return the answer, or the last status if it was enough.

    Args:
        steps: yields the status after each step, and returns the answer.
        line: the progress after so many seconds, in one line.
        is_enough: whether a search ends at a status, after so many seconds.
        is_quiet: whether nothing is shown where there is no terminal.
    """
    started = time.perf_counter()
    with ProgressDisplay(is_quiet=is_quiet) as progress:
        while True:
            try:
                status = next(steps)
            except StopIteration as end:
                found: A = end.value
                return found
            seconds = time.perf_counter() - started
            if is_enough(status, seconds):
                return status
            if seconds >= FIRST_PLAIN_S:
                progress.draw_line(line(status, seconds))
