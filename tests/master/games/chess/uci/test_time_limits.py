"""No clock is overrun, and no time is left unused that more of comes for."""

from hypothesis import given
from hypothesis import strategies as st

from master.games.chess.uci.time_limits import (
    LEAST_S,
    TimeLimits,
    limits_of_clock,
    limits_of_move,
)

SECONDS = st.floats(0, 1e6)
OVERHEAD = st.floats(0, 5)


@given(SECONDS, SECONDS, st.none() | st.integers(1, 1000), OVERHEAD)
def test_limits_are_within_what_is_left(
    left_s: float, increment_s: float, moves_to_go: int | None, overhead_s: float
) -> None:
    limits = limits_of_clock(left_s, increment_s, moves_to_go, overhead_s)
    assert 0 < limits.soft_s <= limits.hard_s <= max(left_s - overhead_s, LEAST_S)


@given(SECONDS, OVERHEAD)
def test_time_of_a_move_is_used_but_for_the_overhead(move_s: float, overhead_s: float) -> None:
    limits = limits_of_move(move_s, overhead_s)
    assert limits.soft_s == limits.hard_s == max(move_s - overhead_s, LEAST_S)


@given(SECONDS, SECONDS, st.none() | st.integers(1, 100), OVERHEAD)
def test_more_time_is_never_less(
    left_s: float, more_s: float, moves_to_go: int | None, overhead_s: float
) -> None:
    some = limits_of_clock(left_s, 0, moves_to_go, overhead_s)
    more = limits_of_clock(left_s + more_s, 0, moves_to_go, overhead_s)
    assert some.soft_s <= more.soft_s
    assert some.hard_s <= more.hard_s


@given(st.floats(1, 60), st.floats(0.001, 0.005))
def test_long_game_without_increment_is_not_lost_on_time(game_s: float, lost_s: float) -> None:
    """Every move takes its soft limit and half the overhead that was said, for a hundred moves."""
    left_s = game_s
    for _ in range(100):
        left_s -= limits_of_clock(left_s, 0, None, 2 * lost_s).soft_s + lost_s
    assert left_s > 0


def test_last_move_before_more_time_may_use_nearly_all() -> None:
    last = limits_of_clock(10, 0, 1, 0.01)
    assert last.hard_s == 10 - 0.01
    assert last.soft_s > 5
    assert limits_of_clock(10, 0, 2, 0.01).hard_s < 5


def test_increment_that_replaces_the_overhead_keeps_nothing_back() -> None:
    assert limits_of_clock(0.5, 0, None, 0.01) == TimeLimits(LEAST_S, LEAST_S)
    assert limits_of_clock(0.5, 0.01, None, 0.01).soft_s == 0.6 * 0.5 / 30


def test_nothing_left_is_the_least() -> None:
    assert limits_of_clock(0, 0, None, 0.01) == TimeLimits(LEAST_S, LEAST_S)
