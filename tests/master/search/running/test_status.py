"""Standings of running searches hold together, and stay as they are while the search goes on."""

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.search_views import HotSpot, SearcherLine
from master.search.running.status import SearchStatus, shown_bounds
from tests.master.search.fake_fleet import Fleet

LINE = SearcherLine("a", 2, 1, 1000, 50.0)
PART = HotSpot("a", None, 4, 1.5)
STANDING = SearchStatus(6, None, None, None, 0, 0.0, 0, 0, (LINE,), (PART,))


@pytest.mark.parametrize("value", [LINE, PART, STANDING], ids=lambda each: type(each).__name__)
def test_nobody_can_change_what_is_shown(value: object) -> None:
    for field in fields(value):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)
    assert isinstance(hash(value), int)  # nor anything within it


def test_search_is_running_and_owes_nobody_a_proof_unless_it_is_said() -> None:
    assert STANDING.answer is None
    assert STANDING.unconfirmed == 0


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 5), st.lists(st.integers(1, 3), max_size=3))
def test_status_is_a_copy_whose_figures_agree(seed: int, depth: int, workers: list[int]) -> None:
    fleet = Fleet(seed, depth)
    sessions = [fleet.come(count) for count in [*workers, 1]]
    earlier: list[tuple[SearchStatus, str]] = []
    for _ in range(200):
        status = fleet.run.status(fleet.now)
        earlier.append((status, repr(status)))
        check(status, {f"seat-{session.number}": session.workers for session in sessions})
        if fleet.run.is_over:
            break
        fleet.turn()
    assert [(repr(one), one.answer is None) for one, _ in earlier] == [
        (text, one is not status or not fleet.run.is_over) for one, text in earlier
    ]
    for attribute in ("nodes", "seconds", "parts", "shot", "depth"):
        figures = [getattr(one, attribute) for one, _ in earlier]
        assert figures == sorted(figures)


def check(status: SearchStatus, workers: dict[str, int]) -> None:
    if status.lower is not None and status.upper is not None:
        assert status.lower <= status.upper
    names = [line.name for line in status.analysers]
    assert names == sorted(names)
    assert all(line.workers in {0, workers[line.name]} for line in status.analysers)
    ages = [part.age_s for part in status.running]
    assert ages == sorted(ages, reverse=True)
    for line in status.analysers:
        assert line.parts >= sum(part.name == line.name for part in status.running)


def test_bounds_that_nobody_proved_are_none() -> None:
    assert shown_bounds(-VALUE_LIMIT, VALUE_LIMIT) == (None, None)
    assert shown_bounds(-VALUE_LIMIT + 1, 3) == (-VALUE_LIMIT + 1, 3)
