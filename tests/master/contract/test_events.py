from typing import get_args

from master.contract.events import Event, Outcome, Tick
from master.contract.job_words import Priority


def test_every_event_is_a_value_of_its_own_type() -> None:
    types = get_args(Event)
    assert len(types) == len(set(types))
    assert all("__slots__" in vars(kind) for kind in types)
    assert Tick() == Tick()


def test_outcomes_are_the_words_of_the_wire() -> None:
    assert [str(outcome) for outcome in Outcome] == ["done", "stopped", "fail"]


def test_larger_priority_goes_first() -> None:
    assert sorted(Priority, reverse=True) == [
        Priority.URGENT,
        Priority.ASKED,
        Priority.STANDING,
        Priority.BACKGROUND,
    ]
