import asyncio
from collections.abc import Callable
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from protocol.aio.timer import Timer


class Handle:
    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when = when
        self.call = call
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Clock:
    """A loop's clock and timers; it moves where it is told to."""

    def __init__(self) -> None:
        self.now = 100.0
        self.handles: list[Handle] = []
        self.calls: list[float] = []
        self.timer = Timer(cast(asyncio.AbstractEventLoop, self), self._called)

    def _called(self) -> None:
        self.calls.append(self.now)

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> Handle:
        assert when >= self.now
        self.handles.append(Handle(when, call))
        return self.handles[-1]

    def pending(self) -> list[Handle]:
        return [handle for handle in self.handles if not handle.is_cancelled]

    def run(self) -> None:
        """Go on until no timer is left."""
        while waiting := self.pending():
            first = min(waiting, key=lambda handle: handle.when)
            self.handles.remove(first)
            self.now = first.when
            first.call()


@given(st.lists(st.floats(90.0, 110.0), min_size=1))
def test_one_call_comes_at_the_earliest_time_set(times: list[float]) -> None:
    clock = Clock()
    for when in times:
        clock.timer.set(when)
        assert len(clock.pending()) == 1
    clock.run()
    assert clock.calls == [max(min(times), 100.0)]


def test_a_time_that_moves_away_costs_no_other_timer() -> None:
    clock = Clock()
    for step in range(50):
        clock.timer.set(101.0 + step)
    assert len(clock.handles) == 1


def test_it_is_set_again_after_its_call() -> None:
    clock = Clock()
    for when in (101.0, 105.0):
        clock.timer.set(when)
        clock.run()
    assert clock.calls == [101.0, 105.0]


def test_a_closed_timer_calls_no_more() -> None:
    clock = Clock()
    clock.timer.set(101.0)
    clock.timer.close()
    clock.timer.set(100.5)
    clock.run()
    assert clock.calls == []
