"""Spans that have ended, in columns of fixed size: the oldest make room for the newest."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum

SPANS_MAX = 1 << 18
"""An hour of 64 workers with a part a second each is 230,400 of them; they take 27 MB."""

COLUMNS = (
    "lane", "row", "kind", "job", "part", "attempt", "first", "count", "handed", "begin", "stop",
    "end", "ending",
)  # fmt: skip
"""The columns of a span; each value is a whole number.

`lane` and `row`: which analyser, and which of its workers (-1: none ever began it).  `first` and
`count`: its trials or question.  `handed`, `begin`, `stop`, `end`: when it was handed out, begun,
asked to stop (-1: it was not) and over, in the timeline's unit.  `attempt`: 1 for the first.
"""

END = COLUMNS.index("end")


class Kind(IntEnum):
    """The kind of a part."""

    TRIALS = 0
    QUESTION = 1
    SEARCH = 2


class Ending(IntEnum):
    """How an attempt ended."""

    RUNNING = 0  # it has not
    DONE = 1
    STOPPED = 2  # the master asked for it, or the analyser drains
    REHANDED = 3  # it was stopped, and another analyser had been handed its part by then
    SHOT = 4  # a hot spot of a search: it was stopped to be split
    FAILED = 5
    LOST = 6  # its analyser went


class SpanRing:
    """The newest spans, in the order they ended, each with a number that counts from 0."""

    def __init__(self, size: int = SPANS_MAX) -> None:
        self._size = size
        self._columns = [array("q") for _ in COLUMNS]
        self._first = 0
        self._end = 0

    @property
    def first(self) -> int:
        """Number of the oldest that is kept."""
        return self._first

    @property
    def end(self) -> int:
        """Number of the next."""
        return self._end

    def append(self, span: Sequence[int]) -> None:
        """Add one, which has ended last."""
        place = self._end % self._size
        if self._end < self._size:
            for column, number in zip(self._columns, span, strict=True):
                column.append(number)
        else:
            for column, number in zip(self._columns, span, strict=True):
                column[place] = number
        self._end += 1
        self._first = max(self._first, self._end - self._size)

    def forget_before(self, time: int) -> None:
        """Forget spans that ended before a time."""
        ends = self._columns[END]
        while self._first < self._end and ends[self._first % self._size] < time:
            self._first += 1

    def rows(self, start: int, count_max: int) -> list[list[int]]:
        """Return the columns of the kept ones from a number on, at most so many."""
        start = max(start, self._first)
        stop = min(self._end, start + count_max)
        if start >= stop:
            return [[] for _ in COLUMNS]
        place, count = start % self._size, stop - start
        tail = max(0, place + count - self._size)
        return [
            column[place : place + count - tail].tolist() + column[:tail].tolist()
            for column in self._columns
        ]
