"""A running search for displays: its state, its paths, and its words."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.search_views import HotSpot, NodeState, SearcherLine
from master.search.running import status
from master.search.running.status import SearchStatus, TreePaths, shown_bounds, tree_nodes
from master.search.running.wording import Proved, WordingError
from master.search.tree_top import TopNode
from tests.master.search.fake_fleet import Fleet
from tests.master.search.hand_driven import WrittenGame

LINE = SearcherLine("a", 2, 1, 1000, 50.0)
PART = HotSpot("a", None, 4, 1.5)
STATUS = SearchStatus(6, None, None, None, 0, 0.0, 0, 0, (LINE,), (PART,))


@pytest.mark.parametrize("value", [LINE, PART, STATUS], ids=lambda each: type(each).__name__)
def test_nobody_can_change_what_is_shown(value: object) -> None:
    for field in fields(value):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(value, field.name, None)
    assert isinstance(hash(value), int)  # nor anything within it


def test_search_is_running_and_owes_nobody_a_proof_unless_it_is_said() -> None:
    assert STATUS.answer is None
    assert STATUS.unconfirmed == 0


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


def test_path_leads_over_what_was_split() -> None:
    found = TreePaths(WrittenGame(3), b"", 4)
    assert found.path(b"") == ()
    assert found.path(b"b") == (1,)
    assert found.path(b"bc") is None
    found.record_split(b"b", 3)
    found.record_split(b"bc", 2)
    assert found.path(b"bca") == (1, 2, 0)


def test_position_whose_parent_nobody_knows_has_no_path() -> None:
    found = TreePaths(WrittenGame(3), b"", 4)
    found.record_split(b"ab", 2)
    assert found.path(b"abc") is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "PATHS_MAX", 4)
    found = TreePaths(WrittenGame(3), b"", 4)
    assert found.path(b"a") == (0,)
    found.record_split(b"a", 3)
    assert found.path(b"aa") is None


TOP = TopNode((1, 0), 7, -VALUE_LIMIT, 4, (3, 4), NodeState.SEARCHED, False, (5, 9), 2, 77, 10.0, 0)
NAMES = {5: "barn", 9: "attic"}


def test_searchers_have_names_and_parts_ages() -> None:
    (node,) = tree_nodes([TOP], NAMES.__getitem__, 12.5)
    assert node.searchers == ("attic", "barn")
    assert node.age_s == 2.5
    assert (node.lower, node.upper, node.window) == (None, 4, (3, 4))
    assert (node.path, node.depth, node.busy, node.nodes) == ((1, 0), 7, 2, 77)


def test_window_without_an_end_says_so() -> None:
    (node,) = tree_nodes([replace(TOP, window=(-VALUE_LIMIT, 2))], NAMES.__getitem__, 12.5)
    assert node.window == (None, 2)
    (cut,) = tree_nodes([replace(TOP, window=None)], NAMES.__getitem__, 12.5)
    assert cut.window is None


def test_part_that_is_still_on_its_way_is_not_younger_than_nothing() -> None:
    (node,) = tree_nodes([TOP], NAMES.__getitem__, 9.0)
    assert node.age_s == 0.0
    (rests,) = tree_nodes([replace(TOP, since=None, analysers=())], NAMES.__getitem__, 9.0)
    assert (rests.age_s, rests.searchers) == (None, ())


VALUES = st.integers(-9, 9)
PAIRS = st.tuples(VALUES, VALUES).map(lambda pair: (min(pair), max(pair)))


def proved(lower: int, upper: int) -> Proved:
    return Proved(lower, upper, 1, None, ())


@given(PAIRS, PAIRS.filter(lambda pair: pair[0] < pair[1]))
def test_window_is_settled_when_every_value_that_is_left_looks_the_same_in_it(
    bounds: tuple[int, int], window: tuple[int, int]
) -> None:
    lower, upper = bounds
    alpha, beta = window
    probes = {min(max(value, alpha), beta) for value in range(lower, upper + 1)}
    assert proved(lower, upper).settles(alpha, beta) is (len(probes) == 1)


def test_what_proves_nothing_settles_no_window() -> None:
    assert not proved(-VALUE_LIMIT, VALUE_LIMIT).settles(-1, 0)


@given(PAIRS, st.tuples(VALUES, VALUES).filter(lambda pair: pair[0] < pair[1]))
def test_more_proof_settles_no_less(bounds: tuple[int, int], window: tuple[int, int]) -> None:
    lower, upper = bounds
    if proved(lower, upper).settles(*window):
        assert all(proved(value, upper).settles(*window) for value in range(lower, upper + 1))
        assert all(proved(lower, value).settles(*window) for value in range(lower, upper + 1))


def test_text_that_makes_no_sense_is_a_value_error_with_a_line_for_people() -> None:
    with pytest.raises(ValueError, match="a line for people") as caught:
        raise WordingError("a line for people")
    assert str(caught.value) == "a line for people"
