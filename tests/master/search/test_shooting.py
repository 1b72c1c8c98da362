"""Hot spots are stopped and split."""

from typing import Any

import pytest

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search import shooting
from master.search.events import (
    DropAnalyser,
    MoveBounds,
    SearchPartEnded,
    SearchTick,
    StopSearchPart,
)
from master.search.limits import IDLE_RANK_MAX, WAITS_MAX, idle_rank
from master.search.strategies import Driver
from tests.master.search.hand_driven import COSTS, HOT_AGE, Hand


@pytest.fixture(autouse=True)
def as_in_many_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let speculation count as work, as it does where there is little else for many to do."""
    monkeypatch.setattr(shooting, "idle_rank", lambda _: IDLE_RANK_MAX)


def wide_hand(**options: Any) -> Hand:
    """Three moves at the root, three analysers busy with them, and one that is idle."""
    hand = Hand(**options)
    hand.come(1, 2, 3, 4)
    return hand


def test_oldest_of_the_least_speculative_parts_is_shot_when_somebody_is_idle() -> None:
    hand = wide_hand()
    assert hand.scheduler.wake_at == COSTS.hot_age(4)
    hand.send(SearchTick(), after=COSTS.hot_age(4))
    assert [(each.analyser, each.part) for each in hand.of(StopSearchPart)] == [(1, 1)]
    assert hand.placed() == {}
    assert hand.scheduler.counts.shot == 1
    hand.end(b"a")
    assert set(hand.placed()) == {b"aa", b"ab"}
    assert set(hand.placed().values()) == {1, 4}


def test_nothing_is_shot_while_everybody_is_busy() -> None:
    hand = Hand()
    hand.come(1, 2, 3)
    hand.send(SearchTick(), after=100 * HOT_AGE)
    assert hand.of(StopSearchPart) == []


def expect(hand: Hand, **estimates: int) -> None:
    """Set estimates of the root's moves, seen by the other side."""
    for position, estimate in estimates.items():
        hand.state.tree.bounds.set_estimate(1 + "abc".index(position), estimate)


def test_a_hot_spot_is_shot_for_those_who_search_what_will_not_be_needed() -> None:
    hand = Hand(driver=Driver.MTDF)
    hand.come(1, 2, 3)
    expect(hand, a=-100, b=100, c=100)  # "a" will be good enough
    hand.send(SearchTick(), after=COSTS.hot_age(3))
    assert [each.part for each in hand.of(StopSearchPart)] == [hand.handed[b"a"].part]
    assert hand.scheduler.counts.shot == 1
    hand.end(b"a")
    assert hand.placed() == {b"aa": 1}


def test_two_split_what_is_needed_rather_than_speculate(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand(driver=Driver.MTDF)
    hand.come(1, 2)
    hand.send(SearchTick(), after=COSTS.hot_age(2))
    assert hand.of(StopSearchPart) == []
    monkeypatch.setattr(shooting, "idle_rank", idle_rank)
    hand.send(SearchTick())
    assert [each.part for each in hand.of(StopSearchPart)] == [hand.handed[b"a"].part]


def test_who_searches_what_will_not_be_needed_is_stopped_for_what_will() -> None:
    hand = Hand(driver=Driver.MTDF)
    hand.come(1, 2)
    expect(hand, a=100, b=100, c=-100)
    hand.send(SearchTick())
    assert [each.part for each in hand.of(StopSearchPart)] == [hand.handed[b"a"].part]
    assert hand.placed() == {b"c": 1}
    hand.send(SearchTick())
    assert hand.commands == []  # and it is not given back


def test_few_swap_nothing_and_find_work_for_who_is_idle_all_the_same() -> None:
    hand = Hand(driver=Driver.MTDF, swaps_from=3)
    hand.come(1, 2)
    expect(hand, a=100, b=100, c=-100)
    hand.send(SearchTick(), after=100 * HOT_AGE)
    assert hand.of(StopSearchPart) == []
    hand.come(3)  # takes "c"
    hand.come(4)
    assert len(hand.of(StopSearchPart)) == 1


def test_what_will_hardly_be_needed_is_shot_later() -> None:
    hand = wide_hand(driver=Driver.MTDF, vain_factor=4)
    expect(hand, a=-100, b=100, c=100)  # "a" will be good enough
    hand.state.tree._barren.add(1)  # and cannot be split
    age = COSTS.hot_age(4)
    hand.send(SearchTick(), after=4 * age - 1)
    assert hand.of(StopSearchPart) == []
    hand.send(SearchTick(), after=1)
    assert [each.part for each in hand.of(StopSearchPart)] == [hand.handed[b"b"].part]


def test_fewer_idle_than_asked_for_shoot_nothing() -> None:
    hand = wide_hand(idle_min=2)
    hand.send(SearchTick(), after=100 * HOT_AGE)
    assert hand.of(StopSearchPart) == []


def test_shallow_parts_are_not_split() -> None:
    hand = wide_hand(depth=3, depth_min=3)
    hand.send(SearchTick(), after=100 * HOT_AGE)
    assert hand.of(StopSearchPart) == []


def test_each_idle_analyser_stops_at_most_one_part_a_tick() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    assert len(hand.of(StopSearchPart)) == 1


def test_children_of_a_shot_part_must_be_twice_as_old() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    hand.end(b"a")
    attempts = {attempt.part.node: attempt for _, attempt in hand.state.searchers.current()}
    patience = {hand.state.tree.positions[node]: each.patience for node, each in attempts.items()}
    assert patience[b"aa"] == 1
    assert patience[b"b"] == 0


def test_what_a_stopped_part_has_finished_is_not_searched_again() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    hand.end(b"a", moves=(MoveBounds(0, 4, 4), MoveBounds(2, -7, -7)), nodes=50, best=0)
    assert set(hand.placed()) == {b"ab"}
    tree = hand.state.tree
    bounds = {tree.positions[node]: tree.bounds.bounds(node) for node in range(len(tree.positions))}
    assert bounds[b"aa"] == (-4, -4)
    assert bounds[b"ac"] == (7, 7)


def test_moves_of_a_shot_part_are_searched_in_the_order_of_what_they_may_be_worth() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    nothing = -VALUE_LIMIT, VALUE_LIMIT
    estimates = {0: -5, 1: -9, 2: 7}
    hand.end(b"a", moves=tuple(MoveBounds(i, *nothing, e) for i, e in estimates.items()))
    assert list(hand.placed())[:2] == [b"ac", b"aa"]


def test_game_is_asked_only_for_what_is_unknown() -> None:
    hand = wide_hand()
    hand.game.asked.clear()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    nothing = -VALUE_LIMIT, VALUE_LIMIT
    hand.end(b"a", moves=(MoveBounds(0, *nothing, 5), MoveBounds(2, 7, VALUE_LIMIT)))
    assert hand.game.asked == [b"ab", b"ac"]


def test_late_answer_orders_what_is_left_to_search() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    hand.send(SearchTick(), after=COSTS.hold_max(4))
    assert list(hand.placed()) == [b"aa", b"ab"]
    nothing = -VALUE_LIMIT, VALUE_LIMIT
    hand.end(b"a", moves=(MoveBounds(2, *nothing, 7),))
    children = hand.state.tree.bounds.children(1)
    assert hand.state.tree.bounds.estimate(children[2]) == -7


def test_finished_answer_that_crosses_the_stop_is_not_split() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    hand.end(b"a", 3, 3)
    assert len(hand.state.tree.bounds.children(1)) == 0


def test_children_do_not_wait_for_ever_for_the_answer_to_a_stop() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    assert hand.scheduler.wake_at == hand.now + COSTS.hold_max(4)
    hand.send(SearchTick(), after=COSTS.hold_max(4))
    assert set(hand.placed()) == {b"aa", b"ab"}
    assert hand.of(StopSearchPart) == []  # it was told


def test_stop_that_is_never_answered_drops_the_analyser() -> None:
    hand = wide_hand()
    hand.send(SearchTick(), after=100 * HOT_AGE)
    hand.send(SearchTick(), after=COSTS.hold_max(4))
    hand.send(SearchTick(), after=COSTS.answer_max(4))
    assert [each.analyser for each in hand.of(DropAnalyser)] == [1]
    assert 1 not in hand.state.analysers
    hand.send(SearchTick(), after=1)
    assert hand.of(DropAnalyser) == []


def test_part_that_takes_for_ever_is_stopped_though_nobody_is_idle() -> None:
    hand = Hand(width=1, depth=2)
    hand.come(1)
    hand.send(SearchTick(), after=COSTS.part_max(1, 0))
    assert len(hand.of(StopSearchPart)) == 1
    assert hand.scheduler.wake_at is not None


def test_part_that_took_too_long_may_take_twice_as_long_each_time() -> None:
    hand = Hand(width=1, depth=2)
    hand.come(1)
    (position,) = hand.placed()
    for times in range(WAITS_MAX):
        hand.send(SearchTick(), after=COSTS.part_max(1, times) - 1)
        assert hand.of(StopSearchPart) == []
        hand.send(SearchTick(), after=1)
        (stopped,) = hand.of(StopSearchPart)
        hand.send(SearchPartEnded(1, stopped.part, stopped.generation, -9, 9))
        assert hand.placed() == {position: 1}
    assert COSTS.part_max(1, WAITS_MAX) == 2**WAITS_MAX * COSTS.part_max(1, 0)
