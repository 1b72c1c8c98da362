import asyncio

import pytest

from protocol.aio.turns import LINKS_A_TURN, Turns, turns_of


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
