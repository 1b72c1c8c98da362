"""The clock of a search."""

from hypothesis import given
from hypothesis import strategies as st

from master.search.running.task import CHECK_S, GAP_S_MAX, SearchClock

STEPS = st.lists(st.floats(0.0, 10.0), max_size=20)


@given(st.floats(0.0, 1e6), STEPS)
def test_it_never_goes_back_and_no_gap_is_longer_than_the_longest(
    start: float, steps: list[float]
) -> None:
    clock, time, last = SearchClock(start), start, 0.0
    for step in steps:
        time += step
        now = clock.read(time)
        assert -1e-9 <= now - last <= GAP_S_MAX + 1e-9
        assert abs(clock.to_loop(now) - time) < 1e-9
        last = now


def test_it_is_the_loops_time_while_it_is_looked_at() -> None:
    clock = SearchClock(5.0)
    assert [clock.read(5.0 + i * CHECK_S) for i in range(4)] == [
        0.0,
        CHECK_S,
        2 * CHECK_S,
        3 * CHECK_S,
    ]


def test_standstill_does_not_count() -> None:
    clock = SearchClock(0.0)
    clock.read(1.0)
    assert clock.read(1000.0) == 1.0 + GAP_S_MAX
    assert clock.read(1001.0) == 2.0 + GAP_S_MAX
