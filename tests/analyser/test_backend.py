"""Backends of an agent: the interface, one that computes nothing, and the threads of a machine."""

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator, Callable

import pytest

from analyser import backend, workers
from analyser.agent import NOBODY, Agent, AgentConfig
from analyser.backend import (
    MEASURE_S,
    Backend,
    NewBackend,
    Outlet,
    OwnBackend,
    engine_offers,
    measure_power,
)
from engine_ext import services
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.services import engine_digest, power_work
from protocol.events import PeerClosed
from protocol.messages import (
    AnalyserHello,
    Bye,
    Done,
    Engine,
    Entries,
    Fail,
    MasterHello,
    Message,
    Ready,
    Stopped,
    Trials,
)
from tests.analyser.driven_master import ENDLESS, NOOP, DrivenMaster, until
from tests.analyser.toy_backend import ToyBackend

CONFIG = AgentConfig("attic", 1, ("noop",), drain_s=0.05)
"""A toy computes nothing: who drains waits for its answers in vain."""


class Staffed:
    """An agent before a backend whose workers a test hires and fires."""

    shop: ToyBackend

    def __init__(self) -> None:
        self.agent = Agent(CONFIG, new_backend=self._open)

    def _open(self, outlet: Outlet) -> ToyBackend:
        self.shop = ToyBackend(outlet)
        return self.shop


@pytest.fixture
async def staffed() -> AsyncIterator[Staffed]:
    made = Staffed()
    yield made
    await made.agent.close()
    assert made.shop.is_closed


def test_both_are_backends() -> None:
    new: Callable[[Outlet], Backend] = ToyBackend
    own: NewBackend = lambda outlet: OwnBackend(1, (), outlet)  # noqa: E731
    assert new is not own


async def test_a_master_waits_until_somebody_is_there(staffed: Staffed) -> None:
    master = DrivenMaster.of(staffed.agent)
    assert (await master.send_hello()).cores == 1
    staffed.shop.staff(3)
    assert (await master.hear(Engine)).power == 3.0
    assert (await master.hear(Ready)).workers == 3


async def test_what_came_or_went_is_announced(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    master = DrivenMaster.of(staffed.agent)
    await master.begin()
    for count in (4, 2):
        staffed.shop.staff(count)
        assert (await master.hear(Engine)).power == count
        assert (await master.hear(Ready)).workers == count
    master.ask(1)
    await until(lambda: [request.part for request in staffed.shop.asked] == [1])


async def test_an_older_master_hears_ready_once(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    master = DrivenMaster.of(staffed.agent)
    await master.hear(AnalyserHello)
    master.link.send(MasterHello(version="2.1", name="old", session="s1"))
    await master.hear(Ready)
    staffed.shop.staff(2)
    master.ask(1)
    await until(lambda: bool(staffed.shop.asked))
    await staffed.agent.drain()
    with pytest.raises(Exception, match="drained"):
        await master.hear(Ready)


async def test_the_last_one_gone_ends_the_link_and_the_next_master_waits(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    master = DrivenMaster.of(staffed.agent)
    await master.begin()
    master.ask(1)
    await until(lambda: bool(staffed.shop.asked))
    staffed.shop.staff(0)
    while not isinstance(end := await master.next(), PeerClosed):
        pass
    assert end.reason == NOBODY
    assert staffed.shop.cancelled_count == 2, "at the greeting and at the end"
    again = DrivenMaster.of(staffed.agent, "bob")
    await again.send_hello()
    staffed.shop.staff(2)
    assert (await again.hear(Ready)).workers == 2


async def test_nobody_is_left_while_a_master_still_says_hello(staffed: Staffed) -> None:
    staffed.shop.staff(1)
    loading = staffed.agent.load()
    await loading
    staffed.shop.staff(0)
    master = DrivenMaster.of(staffed.agent)
    await master.send_hello()
    staffed.shop.staff(1)
    assert (await master.hear(Ready)).workers == 1
    master.link.send(Bye())


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
    monkeypatch.setattr(backend, "MEASURE_S", 0.0)
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


def test_power_is_the_work_of_all_threads_by_the_clock() -> None:
    unit_count = power_work("noop")(RunControl())
    # The clock: start, then each thread sees the time as up, then a whole measure has passed.
    times = itertools.chain([0.0], itertools.repeat(2 * MEASURE_S))
    assert measure_power("noop", 1, clock=lambda: next(times)) == unit_count / (2 * MEASURE_S)


def test_more_threads_add_their_work() -> None:
    unit_count = power_work("noop")(RunControl())
    times = itertools.chain([0.0], itertools.repeat(1.0))
    assert measure_power("noop", 3, clock=lambda: next(times)) == 3 * unit_count


@pytest.mark.usefixtures("broken_game")
def test_engine_that_cannot_load_is_named_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        offers = engine_offers(("broken", "noop"), 1)
    assert [(offer.game, offer.digest) for offer in offers] == [("noop", engine_digest("noop"))]
    assert offers[0].power > 0
    assert "broken is not offered: OSError: net file missing" in caplog.text
