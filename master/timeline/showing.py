"""Timelines for display, of a running master or of a log: epoch, clock, cursors for readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from master.timeline.journal import Journal
from master.timeline.timeline import News, Timeline

NEWS_MAX = 2_000
"""Spans in one answer: 110 KB, and some 4 ms of a master's time."""

_CURSOR = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})-([0-9]{1,18})")


@dataclass(frozen=True)
class ShownTimeline:
    """A timeline that is shown.

    Args:
        timeline: holds the spans.
        epoch: hexadecimal digits that no other timeline had.
        clock: returns the time in the timeline's unit; None: it is recorded, and its time is fixed.
        journal: is read before the timeline is shown; None: the timeline gets every call at once.
        wall_offset_s: the time of day at the clock's 0, since 1970; None: unknown.
        title: its subject, for people; empty: the running master.
        node_ns: nanoseconds that a node takes, where time is counted in nodes.
        is_cut: it ends before the work that it records ended.
    """

    timeline: Timeline
    epoch: str
    clock: Callable[[], float] | None = None
    wall_offset_s: float | None = None
    title: str = ""
    node_ns: float = 0.0
    is_cut: bool = False
    journal: Journal | None = None

    @property
    def began_ms(self) -> int | None:
        """Milliseconds from 1970 to its tick 0."""
        if self.wall_offset_s is None:
            return None
        return round((self.timeline.origin + self.wall_offset_s) * 1000)

    def since(self, cursor: str | None) -> tuple[News, bool]:
        """Return what is new since a cursor, and whether the reader has to begin anew."""
        is_behind = self.journal is not None and not self.journal.read()
        if self.clock is not None and not is_behind:
            self.timeline.advance(self.clock())
        match = _CURSOR.fullmatch(cursor or "")
        if match is None or match[1] != self.epoch:
            return self.timeline.news(0, 0, NEWS_MAX, is_behind=is_behind), True
        seen = int(match[2]), int(match[3])
        return self.timeline.news(*seen, NEWS_MAX, is_behind=is_behind), False

    def cursor(self, news: News) -> str:
        """Return the cursor of a reader that has got this news."""
        return f"{self.epoch}-{news.ended}-{news.changes}"


NOTHING_SHOWN = ShownTimeline(Timeline(), "0")
"""The timeline of a master that records none."""
