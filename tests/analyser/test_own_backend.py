"""The threads of a machine as a backend: a part in, its messages out."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from analyser import power, workers
from analyser.backend import Outlet
from analyser.own_backend import OwnBackend
from engine_ext import services
from engine_ext.services import ContextError
from protocol.messages import Done, Entries, Fail, Message, Stopped, Trials
from tests.analyser.driven_master import ENDLESS, NOOP, until


class Bench:
    def __init__(self) -> None:
        self.delivered: list[Message] = []
        loop = asyncio.get_running_loop()

        def deliver(messages: list[Message]) -> None:
            loop.call_soon_threadsafe(self.delivered.extend, list(messages))

        self.shop = OwnBackend(2, ("noop",), Outlet(deliver, lambda: None, 100))

    async def hear(self, kind: type[Message]) -> Message:
        await until(lambda: any(isinstance(message, kind) for message in self.delivered))
        return next(message for message in self.delivered if isinstance(message, kind))


@pytest.fixture
async def bench(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    monkeypatch.setattr(power, "MEASURE_S", 0.0)
    made = Bench()
    yield made
    await made.shop.close()


def trials(part: int, context: str = NOOP, count: int = 3) -> Trials:
    return Trials(part=part, attempt=0, first_seq=0, count=count, context=context)


async def test_it_offers_what_was_loaded(bench: Bench) -> None:
    assert not bench.shop.offers
    await bench.shop.load()
    assert [offer.digest for offer in bench.shop.offers] == [services.engine_digest("noop")]


async def test_a_short_part_is_over_at_once_when_its_pace_is_known(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "NOW_S_MAX", 60.0)  # short is what this machine is quick at
    assert bench.shop.submit(trials(1), is_refused=False) == []
    await bench.hear(Done)
    await until(lambda: not bench.shop.live_count)
    messages = bench.shop.submit(trials(2), is_refused=False)
    assert isinstance(messages[-1], Done)
    assert messages[-1].count == 3


async def test_a_refused_part_fails(bench: Bench) -> None:
    bench.shop.submit(trials(1), is_refused=True)
    failed = await bench.hear(Fail)
    assert isinstance(failed, Fail)
    assert failed.code == "draining"


async def test_a_stopped_part_ends_and_a_cancelled_one_is_forgotten(bench: Bench) -> None:
    bench.shop.submit(trials(1, ENDLESS), is_refused=False)
    bench.shop.submit(trials(2, ENDLESS), is_refused=False)
    await until(lambda: len(bench.shop.progress()) == 2)
    bench.shop.stop((1, 0))
    assert isinstance(await bench.hear(Stopped), Stopped)
    assert bench.shop.live_count == 1
    assert bench.shop.paused_count == 0
    bench.shop.cancel_all()
    assert bench.shop.live_count == 0


async def test_held_work_waits(bench: Bench) -> None:
    bench.shop.hold(True)
    bench.shop.submit(trials(1), is_refused=False)
    await asyncio.sleep(0)
    assert bench.delivered == []
    bench.shop.allow(200)
    bench.shop.hold(False)
    await bench.hear(Done)


async def test_entries_of_no_table_are_an_error(bench: Bench) -> None:
    with pytest.raises(ContextError):
        bench.shop.learn(Entries(game="noop", text="x"))
