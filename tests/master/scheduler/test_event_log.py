"""The scheduler's log: what is written is what is read, and the same events decide the same."""

import json
import random
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract import commands, events
from master.contract.goals import Goal
from master.contract.job_words import Priority
from master.scheduler import SchedulerOptions
from master.scheduler.event_log import (
    CUT,
    LogError,
    decode,
    encode,
    first_line,
    replay,
    turn_line,
)
from tests.master.hand_driven import job_spec
from tests.master.simulator import ENGINE, Character, Fleet, random_character

KINDS = [
    kind
    for module in (events, commands)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind)
]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
MEMBERS = st.sampled_from([*Priority, *events.Outcome, *commands.StoppedBy,
                           *commands.IncidentKind])  # fmt: skip
VALUES = st.recursive(LEAVES | MEMBERS, lambda each: st.lists(each, max_size=3).map(tuple))


@given(st.data(), st.sampled_from(KINDS))
def test_every_event_and_command_is_read_as_it_was(data: st.DataObject, kind: type[Any]) -> None:
    value = kind(**{name: data.draw(VALUES) for name in kind.__match_args__})
    text = json.dumps(encode(value))
    assert text.isascii()
    again = decode(json.loads(text))
    assert again == value
    assert type(again) is kind
    assert all(_same_types(getattr(again, n), getattr(value, n)) for n in kind.__match_args__)


def _same_types(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return all(map(_same_types, one, other))
    return type(one) is type(other) and (not isinstance(one, Enum) or one is other)


def recorded(seed: int) -> tuple[list[str], Fleet]:
    """Let a random fleet do a job; return the log and what became of it."""
    lines = [first_line(SchedulerOptions()) + "\n"]
    fleet = Fleet(seed)
    rng = random.Random(seed)
    fleet.join(Character("survivor", trial_s=0.05))
    for index in range(8):
        fleet.join(random_character(rng, index, end_s=5.0))
    spec = job_spec(trials=200)
    fleet.submit(events.JobSpec(1, spec.context, spec.game, ENGINE, 2, 2, Goal(100)))
    fleet.run_job(1)
    turns = zip(fleet.log, fleet.commands, strict=True)
    lines += [turn_line(now, [event], given) + "\n" for (event, now), given in turns]
    return lines, fleet


@pytest.mark.parametrize("seed", range(5))
def test_random_fleet_is_decided_upon_again(seed: int) -> None:
    lines, fleet = recorded(seed)
    found = replay(lines)
    assert (found.events, found.difference, found.is_cut) == (len(fleet.log), "", False)
    assert found.commands == sum(map(len, fleet.commands)) > 10


def test_what_is_decided_otherwise_is_found_where_it_is() -> None:
    lines, _ = recorded(1)
    number = next(i for i, line in enumerate(lines) if '"HandOut"' in line)
    lines[number] = lines[number].replace('"count": ', '"count": 1')
    found = replay(lines)
    assert found.difference.startswith(f"line {number + 1}: ")
    assert "was logged" in found.difference
    assert found.events == number - 1


def test_log_that_ends_early_says_so() -> None:
    lines, _ = recorded(2)
    assert replay([*lines[:9], json.dumps(CUT) + "\n"]).is_cut
    half = replay([*lines[:9], lines[9][:20]])
    assert (half.is_cut, half.events, half.difference) == (True, 8, "")


@pytest.mark.parametrize(
    ("line", "said"),
    [("nonsense\n", "line 3: expected [seconds"), ("[1, 2]\n", "line 3: expected [seconds"),
     ('[9e9, [{"": "Nobody"}], []]\n', "line 3: 'Nobody' is no event"),
     ('[9e9, [{"": "Tick", "x": 1}], []]\n', "line 3: 'Tick' is no event")],
)  # fmt: skip
def test_damage_is_named_by_its_line(line: str, said: str) -> None:
    lines = [first_line(SchedulerOptions()) + "\n", turn_line(0.0, [events.Tick()], []) + "\n"]
    with pytest.raises(LogError) as caught:
        replay([*lines, line])
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("line", ["", "{}\n", "[]\n", "nonsense\n", '{"format": "other/1"}\n'])
def test_what_is_no_log_is_refused(line: str) -> None:
    with pytest.raises(LogError, match="line 1: expected a log of"):
        replay([line])
