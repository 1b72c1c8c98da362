"""Timelines of logs: of `manyply-master --record`, and of simulated searches."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from master.scheduler import event_log
from master.scheduler.event_log import CUT, LogError, decode_turn
from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    DropAnalyser,
    HandOutPart,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchFailed,
    SearchPartEnded,
    StopSearchPart,
)
from master.timeline.timeline import NODES, RECORDED, Timeline
from master.timeline.turns import JobTurns, SearchTurns
from protocol.messages import NUMBER_MAX

FORMAT = "manyply-search-log/1"

Turn = tuple[float, list[SearchEvent], list[SearchCommand]]

_KEPT: dict[type, tuple[str, tuple[str, ...]]] = {
    AnalyserCame: ("came", ("analyser",)),
    AnalyserWent: ("went", ("analyser",)),
    SearchPartEnded: ("ended", ("analyser", "part", "generation")),
    HandOutPart: ("part", ("analyser", "part", "generation", "depth")),
    StopSearchPart: ("stop", ("analyser", "part", "generation", "is_shot")),
    DropAnalyser: ("drop", ("analyser",)),
    SearchAnswered: ("answered", ("depth", "value")),
    SearchFailed: ("failed", ("analyser",)),
}

_EVENTS: dict[str, Callable[..., SearchEvent]] = {
    "came": AnalyserCame,
    "went": AnalyserWent,
    "ended": lambda analyser, part, generation: SearchPartEnded(analyser, part, generation, 0, 0),
}

_COMMANDS: dict[str, Callable[..., SearchCommand]] = {
    "part": lambda analyser, part, generation, depth: HandOutPart(
        analyser, part, generation, b"", depth, 0, 0
    ),
    "stop": lambda analyser, part, generation, is_shot: StopSearchPart(
        analyser, part, generation, bool(is_shot)
    ),
    "drop": lambda analyser: DropAnalyser(analyser, ""),
    "answered": lambda depth, value: SearchAnswered(depth, value, None),
    "failed": lambda analyser: SearchFailed(analyser, ""),
}


@dataclass(frozen=True)
class SearchLogHead:
    """The head of a log.

    Args:
        title: for people.
        workers: of each analyser.
        node_ns: nanoseconds that a node takes.
    """

    title: str
    workers: int = 1
    node_ns: float = 0.0


def first_line(head: SearchLogHead) -> str:
    """Return the line that a log begins with."""
    return json.dumps(
        {"format": FORMAT, "title": head.title, "workers": head.workers, "node_ns": head.node_ns}
    )


def turn_line(
    now: float, events: Sequence[SearchEvent], commands: Sequence[SearchCommand]
) -> str | None:
    """Return a turn as a line; None: nothing of it is kept."""
    received, answered = _kept(events), _kept(commands)
    return (
        json.dumps([now, received, answered], separators=(",", ":"))
        if received or answered
        else None
    )


def _kept(values: Sequence[object]) -> list[list[Any]]:
    found = []
    for value in values:
        known = _KEPT.get(type(value))
        if known is not None:
            name, fields = known
            found.append([name, *(int(getattr(value, field)) for field in fields)])
    return found


def read_head(head: dict[str, Any]) -> SearchLogHead:
    """Return the content of a log's first line; ValueError: it is no head of a log."""
    title, workers, node_ns = (head.get(name) for name in ("title", "workers", "node_ns"))
    is_number = isinstance(node_ns, int | float) and not isinstance(node_ns, bool)
    if not (isinstance(title, str) and type(workers) is int and workers >= 1 and is_number):
        raise ValueError("expected a title, workers and node_ns")
    assert isinstance(node_ns, int | float), "it is a number"
    return SearchLogHead(title, workers, float(node_ns))


def read_turn(line: str) -> Turn:
    """Return the turn that a line is; ValueError: it is none."""
    try:
        now, received, answered = json.loads(line)
        return float(now), list(_made(received, _EVENTS)), list(_made(answered, _COMMANDS))
    except (TypeError, KeyError, OverflowError, ValueError):
        raise ValueError("expected [nodes, told, answered]") from None


def _made(values: Any, makers: dict[str, Callable[..., Any]]) -> Iterator[Any]:
    for name, *numbers in values:
        if not all(type(number) is int and abs(number) < 1 << 53 for number in numbers):
            raise ValueError(name)
        yield makers[name](*numbers)


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
    if head.get("format") != FORMAT:
        raise LogError(
            "line 1: expected a log of `manyply-master --record` or of `manyply simulate --record`,"
            f" {event_log.FORMAT} or {FORMAT}"
        )
    try:
        return _read_search(read_head(head), numbered)
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


def _read_search(head: SearchLogHead, lines: Lines) -> RecordedTimeline:
    timeline = Timeline(NODES)
    is_cut = _read(lines, read_turn, SearchTurns(timeline, head.workers).turn)
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
