"""A simulated search as lines: which analyser was handed which part, when, and how it ended.

Searched nodes, proved bounds and table entries are left out: the log is to be shown, not to be run
again.

ASCII, one JSON value a line: first the head, `{"format", "title", "workers", "node_ns"}`, then a
line a turn, `[nodes, [event, ...], [command, ...]]`, each of these `[name, number, ...]`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

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
