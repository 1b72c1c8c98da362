import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyser.tasks import SEARCH_SLICE_S
from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.search.limits import (
    HOT_MESSAGES,
    IDLE_RANK_MAX,
    NEWS_S,
    ROUND_MESSAGES,
    Costs,
    idle_rank,
)

COST = st.floats(1e-9, 1e6)


@given(COST, COST, st.integers(0, 1000))
def test_hot_spot_is_older_than_what_splitting_it_costs(
    latency: float, message: float, analysers: int
) -> None:
    costs = Costs(latency, message)
    assert costs.hot_age(analysers) >= HOT_MESSAGES * (latency + message)
    assert costs.hot_age(analysers + 1) >= costs.hot_age(analysers)


def test_parts_are_so_long_that_the_master_keeps_up() -> None:
    costs = Costs(latency=0, message=20e-6)
    for analysers in (1, 64, 1000):
        assert 2 * costs.message * analysers <= costs.hot_age(analysers)


def test_a_shot_is_waited_for_once_and_no_part_is_hot_before_it_has_begun() -> None:
    costs = Costs(latency=1, message=1, begin=1e6)
    once = Costs(latency=1, message=1).hot_after(4, 1)
    assert once == 2 * costs.hot_age(4) == Costs(latency=1, message=1).hot_after(4, 9)
    assert costs.hot_after(4, 0) == costs.hot_after(4, 9) == 1e6


@pytest.mark.parametrize("costs", [(-1, 1, 0), (0, 0, 0), (0, 1, -1)])
def test_messages_cost_something(costs: tuple[float, float, float]) -> None:
    with pytest.raises(ValueError, match="costs of at least 0"):
        Costs(*costs)


def test_the_more_there_are_the_more_they_may_speculate() -> None:
    ranks = [idle_rank(analysers) for analysers in range(200)]
    assert ranks == sorted(ranks)
    assert ranks[0] == ranks[1] == ranks[2] == SPECULATION_MAX // 2
    assert ranks[-1] == IDLE_RANK_MAX < SPECULATION_MAX


def test_rounds_are_as_far_apart_as_news_or_as_their_messages_allow() -> None:
    costs = Costs(message=1, news=100)
    assert costs.round_time(1) == 100
    assert costs.round_time(50) == ROUND_MESSAGES * 50


def test_news_are_expected_as_often_as_analysers_tell_them() -> None:
    assert SEARCH_SLICE_S == NEWS_S
