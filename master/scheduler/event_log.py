"""The scheduler's events and commands as lines of text, and a log of them run again.

A log is ASCII, one JSON value a line: first a head with the scheduler's options, then a line a
turn: `[seconds, [event, ...], [command, ...]]`.  A dataclass is an object whose key "" is its name,
an enumeration's member too; tuples and lists are arrays, and are read as tuples.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from engine_ext.validation import answer_fault
from master.contract import commands, events
from master.scheduler.limits import SchedulerOptions
from master.scheduler.scheduler import Scheduler

FORMAT = "manyply-scheduler-log/1"
CUT = "cut"
"""The last line of a log that reached its bound."""

_TYPES = {
    name: kind
    for module in (events, commands)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, enum.Enum))
}


class LogError(ValueError):
    """A log that cannot be read; the text names the line and the expected content."""


@dataclass(frozen=True)
class Replayed:
    """How a log ran again.

    Args:
        events: taken in.
        commands: given, each as in the log.
        is_cut: the log ends before the work that it records ended.
        difference: the first one, in one line; empty: there is none.
    """

    events: int
    commands: int
    is_cut: bool = False
    difference: str = ""


def encode(value: Any) -> Any:
    """Return a value of the contract as one of JSON."""
    if isinstance(value, enum.Enum):
        return {"": type(value).__name__, "value": value.value}
    if is_dataclass(value):
        named = {field.name: encode(getattr(value, field.name)) for field in fields(value)}
        return {"": type(value).__name__} | named
    if isinstance(value, str | int | float) or value is None:
        return value
    return [encode(each) for each in value]


def decode(value: Any) -> Any:
    """Return the value that `encode` made a value of JSON of; LogError if it is none."""
    if isinstance(value, list):
        return tuple(decode(each) for each in value)
    if not isinstance(value, dict):
        return value
    named = {key: decode(each) for key, each in value.items() if key}
    kind = _TYPES.get(str(value.get("")))
    try:
        if kind is None:
            raise TypeError("no such name")
        return kind(**named)
    except (TypeError, ValueError) as error:
        raise LogError(f"{value.get('')!r} is no event or command of this version") from error


def first_line(options: SchedulerOptions) -> str:
    """Return the line that a log begins with."""
    sizes = {"window": options.window, "part_trials": options.part_trials}
    return json.dumps({"format": FORMAT, **sizes})


def turn_line(now: float, taken: Sequence[Any], given: Sequence[Any]) -> str:
    """Return one turn as a line: its time, events and commands."""
    return json.dumps([now, encode(taken), encode(given)])


def replay(lines: Iterable[str]) -> Replayed:
    """Have a new scheduler take a log's events in, and compare its commands.

    Raises:
        LogError: a line is damaged, or the log is of something else.
    """
    numbered = enumerate(lines, start=1)
    scheduler = Scheduler(_options(next(numbered, (1, ""))[1]))
    event_count = command_count = 0
    for number, line in numbered:
        if line.rstrip("\n") == json.dumps(CUT):
            return Replayed(event_count, command_count, is_cut=True)
        if not line.endswith("\n"):  # its writer was killed in the middle of it
            return Replayed(event_count, command_count, is_cut=True)
        now, taken, logged = _turn(number, line)
        given = [encode(command) for command in scheduler.handle_all(taken, now)]
        if given != logged:
            text = f"line {number}: {_difference(given, logged)}"
            return Replayed(event_count, command_count, difference=text)
        event_count += len(taken)
        command_count += len(given)
    return Replayed(event_count, command_count)


def decode_turn(line: str) -> tuple[float, tuple[Any, ...], tuple[Any, ...]]:
    """Return the turn of a line: its time, events and commands.

    Raises:
        LogError: it is none.
    """
    try:
        now, taken, given = json.loads(line)
        return float(now), decode(taken), decode(given)
    except LogError:
        raise
    except (ValueError, TypeError):
        raise LogError("expected [seconds, events, commands]") from None


def _options(line: str) -> SchedulerOptions:
    try:
        head = json.loads(line)
        is_ours = isinstance(head, dict) and head["format"] == FORMAT
        if is_ours:
            return SchedulerOptions(head["window"], head["part_trials"], answer_fault=answer_fault)
    except (ValueError, KeyError):
        is_ours = False
    raise LogError(f"line 1: expected a log of `manyply-master --record`, {FORMAT}")


def _turn(number: int, line: str) -> tuple[float, tuple[Any, ...], list[Any]]:
    try:
        now, taken, logged = json.loads(line)
        return float(now), decode(taken), list(logged)
    except LogError as error:
        raise LogError(f"line {number}: {error}") from None
    except (ValueError, TypeError):
        raise LogError(f"line {number}: expected [seconds, events, commands]") from None


def _difference(given: list[Any], logged: list[Any]) -> str:
    for ours, theirs in zip(given, logged, strict=False):
        if ours != theirs:
            return f"{json.dumps(theirs)} was logged, {json.dumps(ours)} is answered"
    return f"{len(logged)} commands were logged, {len(given)} are answered"
