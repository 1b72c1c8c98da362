"""A timeline's news as JSON: columns of numbers, for there are thousands of spans."""

from __future__ import annotations

from master.reports.report import Report
from master.timeline.lanes import Lane
from master.timeline.showing import ShownTimeline
from master.timeline.spans import COLUMNS


def timeline_resource(shown: ShownTimeline, cursor: str | None) -> Report:
    """Return the news since a cursor; None: everything, or its oldest part."""
    news, is_whole = shown.since(cursor)
    unit = shown.timeline.unit
    return {
        "next": shown.cursor(news),
        "is_whole": is_whole,
        "is_live": shown.clock is not None,
        "has_more": news.has_more,
        "is_cut": shown.is_cut,
        "title": shown.title,
        "unit": unit.name,
        "ticks": unit.ticks,
        "kept": None if unit.kept is None else unit.kept * unit.ticks,
        "node_ns": shown.node_ns or None,
        "began_ms": shown.began_ms,
        "now": news.now,
        "lanes": [_lane(lane) for lane in news.lanes],
        "names": [[int(kind), job, name] for (kind, job), name in news.names.items()],
        "columns": list(COLUMNS),
        "spans": news.spans,
        "open": news.open,
        "open_left_out": news.open_left_out,
    }


def _lane(lane: Lane) -> list[object]:
    """Return a lane: its number, name, workers, and from when to when it was there (-1: it is)."""
    return [lane.number, lane.name, lane.workers, [list(stay) for stay in lane.stays]]
