"""Answers requests for a timeline: who computed which part when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from master.api.routing import Operation
from master.api.rules import Need
from master.contract.shapes import Count, Rate, Shown
from master.timeline.showing import ShownTimeline
from master.timeline.spans import COLUMNS, Lane

LaneShown = tuple[Count, str, Count, tuple[tuple[int, int], ...]]
"""A lane: its number, name, workers, and from when to when it was there (-1: it is)."""

Columns = Annotated[
    Sequence[Sequence[int]], Field(min_length=len(COLUMNS), max_length=len(COLUMNS))
]
"""Spans, a list of numbers for each column, for there are thousands of them."""


@dataclass(frozen=True, slots=True)
class Timeline(Shown):
    """What is new of a timeline since a cursor.

    Args:
        next: the cursor of the next request.
        is_whole: the reader has to begin anew.
        is_live: its time goes on.
        has_more: ask again at once.
        is_cut: the record ends before the work did.
        title: its subject; empty: the running master.
        unit: of time: `s` or `nodes`.
        ticks: in one unit.
        kept: the time that is kept, in ticks; None: all of it.
        node_ns: nanoseconds that a node takes, where time is counted in nodes.
        began_ms: milliseconds from 1970 to tick 0; None: unknown.
        now: the time, in ticks.
        lanes: one for each analyser.
        names: of parts: kind, job and text.
        columns: the meaning of `spans` and `open`, by column.
        spans: those that have ended.
        open: those that have not.
        open_left_out: how many of these are not shown.
    """

    next: str
    is_whole: bool
    is_live: bool
    has_more: bool
    is_cut: bool
    title: str
    unit: str
    ticks: Count
    kept: Count | None
    node_ns: Rate | None
    began_ms: Count | None
    now: Count
    lanes: tuple[LaneShown, ...]
    names: tuple[tuple[int, int, str], ...]
    columns: tuple[str, ...]
    spans: Columns
    open: Columns
    open_left_out: Count


class TimelineHandlers:
    """Answers with a timeline."""

    def __init__(self, shown: ShownTimeline) -> None:
        self._shown = shown

    @Operation("GET", "/api/timeline", Need.READING)
    async def timeline(self, since: str) -> Timeline:
        """Show who computed which part when: what is new since a cursor, `next` of an answer."""
        return timeline_of(self._shown, since)


def timeline_of(shown: ShownTimeline, cursor: str) -> Timeline:
    """Return what is new since a cursor; an empty one: everything, or its oldest part."""
    news, is_whole = shown.since(cursor)
    unit = shown.timeline.unit
    return Timeline(
        next=shown.cursor(news),
        is_whole=is_whole,
        is_live=shown.clock is not None,
        has_more=news.has_more,
        is_cut=shown.is_cut,
        title=shown.title,
        unit=unit.name,
        ticks=unit.ticks,
        kept=None if unit.kept is None else unit.kept * unit.ticks,
        node_ns=shown.node_ns or None,
        began_ms=shown.began_ms,
        now=news.now,
        lanes=tuple(map(_lane, news.lanes)),
        names=tuple((int(kind), job, name) for (kind, job), name in news.names.items()),
        columns=tuple(COLUMNS),
        spans=news.spans,
        open=news.open,
        open_left_out=news.open_left_out,
    )


def _lane(lane: Lane) -> LaneShown:
    return lane.number, lane.name, lane.workers, tuple((begin, end) for begin, end in lane.stays)
