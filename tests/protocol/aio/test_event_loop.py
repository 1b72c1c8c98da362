"""The event loop is chosen, timers are kept, and each link has its turn."""

import asyncio
import sys
from collections.abc import Callable
from typing import cast

import pytest
import uvloop
from hypothesis import given
from hypothesis import strategies as st

from protocol.aio import new_runner
from protocol.aio.timer import Timer
from protocol.aio.turns import LINKS_A_TURN, Turns, turns_of


async def own_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_the_fastest_loop_is_taken() -> None:
    with new_runner() as runner:
        assert isinstance(runner.run(own_loop()), uvloop.Loop)


def test_the_standard_loop_is_taken_where_there_is_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    with new_runner() as runner:
        assert not isinstance(runner.run(own_loop()), uvloop.Loop)


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


@pytest.fixture
async def turns() -> Turns:
    return Turns(asyncio.get_running_loop())


async def test_so_many_go_on_in_a_turn_and_as_many_in_the_next(turns: Turns) -> None:
    for _ in range(3):
        assert [turns.may_go_on() for _ in range(LINKS_A_TURN + 2)] == (
            [True] * LINKS_A_TURN + [False] * 2
        )
        await asyncio.sleep(0)


async def test_those_who_wait_come_in_their_order_half_of_a_turn(turns: Turns) -> None:
    called: list[int] = []
    for number in range(LINKS_A_TURN):
        turns.wait(lambda number=number: called.append(number))  # type: ignore[misc]
    await asyncio.sleep(0)
    assert called == list(range(LINKS_A_TURN // 2))
    assert [turns.may_go_on() for _ in range(LINKS_A_TURN)].count(True) == LINKS_A_TURN // 2
    await asyncio.sleep(0)
    assert called == list(range(LINKS_A_TURN))


async def test_one_that_waits_again_comes_behind_the_others(turns: Turns) -> None:
    called: list[str] = []

    def again() -> None:
        called.append("again")
        if len(called) < 4:
            turns.wait(again)

    turns.wait(again)
    turns.wait(lambda: called.append("other"))
    for _ in range(4):
        await asyncio.sleep(0)
    assert called == ["again", "other", "again", "again"]


async def test_mistake_of_one_leaves_the_others_their_turn(turns: Turns) -> None:
    loop, called, mistakes = asyncio.get_running_loop(), list[int](), list[object]()
    loop.set_exception_handler(lambda _, context: mistakes.append(context["exception"]))
    turns.wait(lambda: called[0])
    turns.wait(lambda: called.append(1))
    for _ in range(2):
        await asyncio.sleep(0)
    assert called == [1]
    assert [type(mistake) for mistake in mistakes] == [IndexError]


async def test_a_loop_has_its_own_turns() -> None:
    loop = asyncio.get_running_loop()
    assert turns_of(loop) is turns_of(loop)
    other = asyncio.new_event_loop()
    assert turns_of(other) is not turns_of(loop)
    other.close()
