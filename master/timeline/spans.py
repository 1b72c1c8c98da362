"""Spans of a timeline, in columns of fixed size, and the lane of each analyser."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush

STAYS_MAX = 32
"""Of one analyser: only its newest stays are shown."""

NOT_YET = -1
"""A time that has not come, or a worker that does not exist."""


@dataclass(slots=True, eq=False)
class OpenSpan:
    """An attempt without its final reply.

    Args:
        lane: the analyser's lane.
        kind: one of Kind.
        job: number of its job, or of its search.
        part: the part.
        attempt: its number among the attempts at the part.
        first: its first trial, or the question.
        count: of its trials.
        handed: when it was handed out.
        is_urgent: it goes before parts that are not urgent.
        begin: when a worker began it; NOT_YET: it waits.
        row: the worker's row.
        stop: when it was asked to stop.
        is_shot: it was asked to stop because it is a hot spot.
        is_rehanded: its part has been handed to another analyser since.
        is_doubtful: its analyser was disconnected since: the part may never have arrived.
    """

    lane: Lane
    kind: int
    job: int
    part: int
    attempt: int
    first: int
    count: int
    handed: int
    is_urgent: bool = False
    begin: int = NOT_YET
    row: int = NOT_YET
    stop: int = NOT_YET
    is_shot: bool = False
    is_rehanded: bool = False
    is_doubtful: bool = False


@dataclass(slots=True, eq=False)
class Lane:
    """An analyser, whose sessions follow each other.

    Args:
        number: of the lane, never used again.
        name: the analyser's.
        workers: that it has now.
        changed: when anything but its spans changed at last, as a count of changes.
        session: that goes on; None: none.
        stays: from when to when it was there; the last may go on, which is NOT_YET.
    """

    number: int
    name: str
    workers: int
    changed: int = 0
    session: int | None = None
    stays: list[list[int]] = field(default_factory=list)
    _row_end: int = 0
    _free: list[int] = field(default_factory=list)
    _running: int = 0
    _urgent: int = 0  # of those that run
    _waiting: dict[OpenSpan, None] = field(default_factory=dict)
    _waiting_urgent: dict[OpenSpan, None] = field(default_factory=dict)
    open: dict[OpenSpan, None] = field(default_factory=dict)

    def add(self, span: OpenSpan) -> None:
        """Receive a part: it begins, or waits for a worker."""
        self.open[span] = None
        if (self._urgent if span.is_urgent else self._running) < self.workers:
            self._begin(span, span.handed)
        else:
            self._queue(span)[span] = None

    def remove(self, span: OpenSpan, now: int) -> None:
        """End a part; its worker begins the next.  A part that never began ends as it begins."""
        del self.open[span]
        if span.begin == NOT_YET:
            del self._queue(span)[span]
            span.begin = now
            return
        heappush(self._free, span.row)
        self._running -= 1
        self._urgent -= span.is_urgent
        self.begin_waiting(now)

    def begin_waiting(self, now: int) -> None:
        """Begin waiting parts, as far as there are free workers."""
        while self._waiting_urgent and self._urgent < self.workers:
            self._begin_first(self._waiting_urgent, now)
        while self._waiting and self._running < self.workers:
            self._begin_first(self._waiting, now)

    def arrive(self, session: int, workers: int, now: int) -> None:
        """Be there from now on."""
        self.session, self.workers = session, workers
        self.stays.append([now, NOT_YET])
        del self.stays[:-STAYS_MAX]

    def leave(self, now: int) -> None:
        """Be gone."""
        self.session = None
        self.stays[-1][1] = now

    def _queue(self, span: OpenSpan) -> dict[OpenSpan, None]:
        return self._waiting_urgent if span.is_urgent else self._waiting

    def _begin_first(self, waiting: dict[OpenSpan, None], now: int) -> None:
        span = next(iter(waiting))
        del waiting[span]
        self._begin(span, now)

    def _begin(self, span: OpenSpan, now: int) -> None:
        if not self._free:
            heappush(self._free, self._row_end)
            self._row_end += 1
        span.begin, span.row = now, heappop(self._free)
        self._running += 1
        self._urgent += span.is_urgent


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
