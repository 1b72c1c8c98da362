"""No clock is overrun, and no time is left unused that more of comes for."""

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from master.games.chess.uci.lost_time import Overhead
from master.games.chess.uci.time_limits import (
    LEAST_S,
    TimeLimits,
    limits_of_clock,
    limits_of_move,
)

SECONDS = st.floats(0, 1e6)
OVERHEAD = st.floats(0, 5)
LOST = st.tuples(OVERHEAD, OVERHEAD).map(lambda pair: Overhead(min(pair), max(pair)))
TEN_MS = Overhead(0.01, 0.01)


@given(SECONDS, SECONDS, st.none() | st.integers(1, 1000), LOST)
def test_limits_are_within_what_is_left(
    left_s: float, increment_s: float, moves_to_go: int | None, overhead: Overhead
) -> None:
    limits = limits_of_clock(left_s, increment_s, moves_to_go, overhead)
    assert 0 < limits.soft_s <= limits.hard_s <= max(left_s - overhead.worst_s, LEAST_S)


@given(SECONDS, OVERHEAD)
def test_time_of_a_move_is_used_but_for_the_overhead(move_s: float, overhead_s: float) -> None:
    limits = limits_of_move(move_s, overhead_s)
    assert limits.soft_s == limits.hard_s == max(move_s - overhead_s, LEAST_S)


@given(SECONDS, SECONDS, st.none() | st.integers(1, 100), LOST)
def test_more_time_is_never_less(
    left_s: float, more_s: float, moves_to_go: int | None, overhead: Overhead
) -> None:
    some = limits_of_clock(left_s, 0, moves_to_go, overhead)
    more = limits_of_clock(left_s + more_s, 0, moves_to_go, overhead)
    assert some.soft_s <= more.soft_s
    assert some.hard_s <= more.hard_s


@example(1.0, 0.002950629741106462, 1)
@given(st.floats(1, 60), st.floats(0.0005, 0.003), st.integers(0, 10**6))
@pytest.mark.when_changed
def test_long_game_without_increment_is_not_lost_on_time(
    game_s: float, lost_s: float, seed: int
) -> None:
    """Two hundred moves lose up to twice the mean, some take all they may, two are held up."""
    chance = random.Random(seed)
    left_s, held_up = game_s, {chance.randrange(200), chance.randrange(200)}
    for number in range(200):
        limits = limits_of_clock(left_s, 0, None, Overhead(lost_s, 2 * lost_s))
        left_s -= limits.hard_s if chance.random() < 0.05 else limits.soft_s
        left_s -= chance.uniform(0, 2 * lost_s) + 0.01 * (number in held_up)
        assert left_s > 0, number


def test_last_move_before_more_time_may_use_nearly_all() -> None:
    last = limits_of_clock(10, 0, 1, TEN_MS)
    assert last.hard_s == 10 - 0.01
    assert last.soft_s > 5
    assert limits_of_clock(10, 0, 2, TEN_MS).hard_s < 5


@example(1.0, 0.05, 0)
@given(st.floats(1, 60), st.floats(0.02, 2), st.integers(0, 10**6))
@pytest.mark.when_changed
def test_long_game_with_increment_stands_being_held_up(
    game_s: float, increment_s: float, seed: int
) -> None:
    """Of three hundred moves many take all they may; some are held up for more than a tenth."""
    chance = random.Random(seed)
    left_s = game_s
    held_up = {chance.randrange(20) + 20 * k for k in range(15)}
    for number in range(300):
        limits = limits_of_clock(left_s, increment_s, None, TEN_MS)
        left_s -= limits.hard_s if chance.random() < 0.5 else limits.soft_s
        left_s -= 0.01 + min(2 * increment_s, 0.12) * (number in held_up)
        assert left_s > 0, number
        left_s += increment_s


def test_what_is_kept_back_is_not_planned_with() -> None:
    assert limits_of_clock(0.5, 0, None, TEN_MS) == TimeLimits(LEAST_S, LEAST_S)
    assert limits_of_clock(0.5, 0.02, None, TEN_MS).soft_s == 0.6 * ((0.5 - 0.11) / 30 + 0.01)


def test_kept_back_grows_again_from_part_of_the_increment() -> None:
    assert limits_of_clock(0.055, 0.02, None, TEN_MS).hard_s < 0.02 * 0.75


def test_nothing_left_is_the_least() -> None:
    assert limits_of_clock(0, 0, None, TEN_MS) == TimeLimits(LEAST_S, LEAST_S)
