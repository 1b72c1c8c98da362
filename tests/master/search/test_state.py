from dataclasses import replace

import pytest

from master.search import Costs, SearchSpec
from master.search.driver import Mode
from master.search.state import new_state
from master.search.strategies import OURS
from tests.master.search.hand_driven import WrittenGame


@pytest.mark.parametrize("depths", [(), (3, 2), (2, 2)])
def test_depths_ascend(depths: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="ascending depths"):
        SearchSpec(b"", depths)


def test_earliest_wish_to_be_woken_counts() -> None:
    state = new_state(SearchSpec(b"", (2,)), WrittenGame(), OURS, Costs())
    for time in (5.0, 3.0, 4.0):
        state.wake_by(time)
    assert state.wake_at == 3.0


def test_next_iteration_has_a_tree_of_its_own_and_hints() -> None:
    state = new_state(SearchSpec(b"", (2, 4)), WrittenGame(), OURS, Costs())
    before = state.tree
    state.grow(4, {b"b": -3}, guess=7)
    assert state.tree is not before
    assert state.tree.depths == [4]
    assert state.passes.guess == 7
    state.tree.expand(0)
    assert state.tree.bounds.estimate(2) == -3


@pytest.mark.parametrize(("analysers", "is_known"), [(7, False), (8, True)])
def test_only_many_split_at_once_what_was_split_before(analysers: int, is_known: bool) -> None:
    strategy = replace(OURS, resplits=True, swaps_from=8)
    state = new_state(SearchSpec(b"", (2, 4)), WrittenGame(), strategy, Costs())
    for number in range(analysers):
        state.searchers.come(number)
    state.tree.expand(0)
    state.grow(4, {}, guess=0)
    assert state.tree.was_split(0) == is_known


def test_only_the_last_iteration_needs_the_first_of_its_best_moves() -> None:
    state = new_state(SearchSpec(b"", (2, 4, 6)), WrittenGame(), OURS, Costs())
    modes = [state.passes.mode]
    for state.iteration, depth in ((1, 4), (2, 6)):
        state.grow(depth, {}, guess=0)
        modes.append(state.passes.mode)
    assert OURS.mode is Mode.REPRODUCIBLE
    assert modes == [Mode.FAST, Mode.FAST, Mode.REPRODUCIBLE]
