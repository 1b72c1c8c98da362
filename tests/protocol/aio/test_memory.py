import asyncio

import pytest

from protocol.aio.link import Link
from protocol.aio.memory import memory_pair
from protocol.messages import Info, Progress, Trials
from protocol.sides import MasterSide, MessageReceived, PeerClosed
from tests.protocol.aio.peers import (
    CONTEXT,
    EXPECTED,
    analyse,
    analyser_side,
    collect,
    roll_out,
    start_work,
)


async def test_two_cores_talk_in_one_process() -> None:
    master, analyser = memory_pair(MasterSide(), analyser_side())
    task = asyncio.ensure_future(analyse(analyser))
    assert await roll_out(master) == EXPECTED
    await asyncio.wait_for(task, 5)
    assert master.is_closed
    assert analyser.is_closed


async def test_either_end_that_is_cut_is_seen_by_the_other() -> None:
    for which in (0, 1):
        pair = memory_pair(MasterSide(), analyser_side())
        pair[which].abort()
        events = [event async for event in pair[1 - which]]
        assert events[-1] == PeerClosed("the peer closed the connection")


async def _flood(link: Link, count: int) -> None:
    for step in range(count):
        link.send(Progress(part=1, attempt=0, steps=step))
        if step % 100 == 0:
            await link.drain()


async def test_reader_that_sleeps_pauses_its_writer_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("protocol.aio.link.EVENTS_HIGH", 500)
    monkeypatch.setattr("protocol.aio.memory._PENDING_HIGH", 10_000)
    monkeypatch.setattr("protocol.aio.memory._PENDING_LOW", 5_000)
    master, analyser = memory_pair(MasterSide(), analyser_side())
    task = asyncio.ensure_future(analyse(analyser))
    await start_work(master)
    count = 10_000
    flood = asyncio.ensure_future(_flood(analyser, count))
    # The master's own direction is not held up by the flood that it does not read: its request
    # arrives, and the answers queue behind the flood.
    for part in range(2, 12):
        master.send(Trials(part=part, attempt=0, first_seq=0, count=1, context=CONTEXT))
    for _ in range(500):
        await asyncio.sleep(0)
    assert not flood.done()
    assert len(master._events) < 2_000
    assert analyser.connection.session.result_count == 20  # type: ignore[attr-defined]
    steps: list[int] = []
    while len(steps) < count:
        for event in await master.events():
            assert isinstance(event, MessageReceived)
            if isinstance(event.message, Progress):
                steps.append(event.message.steps)
    await flood
    assert steps == list(range(count))
    master.abort()
    await asyncio.wait_for(task, 5)


async def test_talk_goes_on_for_long() -> None:
    master, analyser = memory_pair(MasterSide(), analyser_side())
    task = asyncio.ensure_future(analyse(analyser))
    await start_work(master)
    for part in range(20):
        assert len(await collect(master, part, 10)) == 10
    analyser.send(Info(text="hello"))
    (event,) = await master.events()
    assert isinstance(event, MessageReceived)
    await master.aclose()
    await asyncio.wait_for(task, 5)
