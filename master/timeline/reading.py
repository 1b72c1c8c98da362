"""Timelines of logs: of `manyply-master --record`, and of simulations."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from master.scheduler import event_log
from master.scheduler.event_log import CUT, LogError, decode_turn
from master.timeline import search_log
from master.timeline.job_turns import JobTurns
from master.timeline.search_turns import SearchTurns
from master.timeline.timeline import NODES, RECORDED, Timeline
from protocol.messages import NUMBER_MAX


@dataclass(frozen=True)
class RecordedTimeline:
    """A log's timeline.

    Args:
        timeline: built from the log.
        title: for people; empty: there is none.
        node_ns: nanoseconds that a node takes; 0: time is not counted in nodes.
        is_cut: the log ends before the work that it records ended.
    """

    timeline: Timeline
    title: str = ""
    node_ns: float = 0.0
    is_cut: bool = False


def read_timeline(lines: Iterable[str]) -> RecordedTimeline:
    """Return the timeline of a log.

    Raises:
        LogError: a line is damaged, or the log is of something else.
    """
    numbered = enumerate(lines, start=1)
    _, first = next(numbered, (1, ""))
    head = _head(first)
    if head.get("format") == event_log.FORMAT:
        return _read_jobs(numbered)
    if head.get("format") != search_log.FORMAT:
        raise LogError(
            "line 1: expected a log of `manyply-master --record` or of `manyply simulate --record`,"
            f" {event_log.FORMAT} or {search_log.FORMAT}"
        )
    try:
        return _read_search(search_log.read_head(head), numbered)
    except LogError:
        raise
    except ValueError as error:
        raise LogError(f"line 1: {error}") from None


def _head(line: str) -> dict[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        return {}
    return head if isinstance(head, dict) else {}


Lines = Iterator[tuple[int, str]]


def _read_jobs(lines: Lines) -> RecordedTimeline:
    timeline = Timeline(RECORDED)
    is_cut = _read(lines, _checked_turn, JobTurns(timeline).turn)
    return RecordedTimeline(timeline, is_cut=is_cut)


def _checked_turn(line: str) -> tuple[float, tuple[Any, ...], tuple[Any, ...]]:
    """Return the turn of a line, after a check of its numbers and texts."""
    now, events, commands = decode_turn(line)
    for value in (*events, *commands):
        _check(value)
    return now, events, commands


def _check(value: Any) -> None:
    for field in fields(value):
        found = getattr(value, field.name)
        if field.type is int:
            is_good = isinstance(found, int) and abs(found) <= NUMBER_MAX
        elif field.type is float:
            is_good = isinstance(found, int | float) and math.isfinite(found)
        elif field.type is str:
            is_good = isinstance(found, str)
        else:
            if is_dataclass(found):
                _check(found)
            continue
        if not is_good:
            raise LogError(f"{type(value).__name__}: {field.name} is {found!r}")


def _read_search(head: search_log.SearchLogHead, lines: Lines) -> RecordedTimeline:
    timeline = Timeline(NODES)
    is_cut = _read(lines, search_log.read_turn, SearchTurns(timeline, head.workers).turn)
    return RecordedTimeline(timeline, head.title, head.node_ns, is_cut)


def _read(
    lines: Lines, read_turn: Callable[[str], tuple[float, Any, Any]], turn: Callable[..., None]
) -> bool:
    """Read all turns; return whether the log was cut."""
    last = -math.inf
    for number, line in lines:
        # Its writer was killed in the middle of the last line, or had written enough.
        if not line.endswith("\n") or line.rstrip("\n") == json.dumps(CUT):
            return True
        try:
            now, events, commands = read_turn(line)
            if not math.isfinite(now) or now < last:
                raise LogError(f"{now} s after {last}: time never goes back")
            turn(now, events, commands)
        except LogError as error:
            raise LogError(f"line {number}: {error}") from None
        except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
            raise LogError(f"line {number}: {error}") from None
        last = now
    return False
