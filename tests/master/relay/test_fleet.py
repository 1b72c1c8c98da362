"""The analysers below a relay, linked by real lines without a socket, and its backend."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine_ext.contexts import context_digest
from engine_ext.noop.question import noop_question
from master.config.fleet_list import FleetEntry
from master.contract.errors import MasterError
from master.relay.fleet import Fleet, FleetBackend
from master.service.analysers.analyser_handler import AnalyserHandler, Receivers, Route
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import SessionTable
from protocol.access.rules import EVERYBODY, NOBODY_ELSE, Access
from protocol.address import Address
from protocol.aio import connect_tcp, memory_pair, serve_tcp
from protocol.events import MessageReceived, PeerClosed
from protocol.guards.access_control import AccessControl
from protocol.messages import (
    NUMBER_MAX,
    Ack,
    AnalyserHello,
    Answer,
    Bye,
    Done,
    Drain,
    Engine,
    Entries,
    Fail,
    MasterHello,
    Message,
    Ping,
    Pong,
    Progress,
    Question,
    Ready,
    Search,
    Stop,
    Trial,
    Trials,
)
from protocol.session import AnalyserSession
from protocol.sides import AnalyserSide, MasterSide
from tests.master.service.watching import until

CONTEXT = "noop/1 alternatives=1 rounds=10"
QUESTION = noop_question(rounds=1, number=1)
DIGEST = "0" * 16
SERVICES = ("trials", "analyse", "search")


@dataclass
class Above:
    """What the agent would hear."""

    up: list[Message] = field(default_factory=list)
    announced: list[int] = field(default_factory=list)
    results_max: int = 100
    shop: FleetBackend | None = None

    def deliver(self, messages: list[Message]) -> None:
        self.up += messages

    def announce(self) -> None:
        assert self.shop is not None
        self.announced.append(self.shop.worker_count)


class Relay:
    def __init__(self, results_max: int = 100) -> None:
        self.said: list[str] = []
        self.sessions = SessionTable("relay")
        self.keeper = AccessControl(warn=self.said.append)
        self.above = Above(results_max=results_max)
        self.shop = FleetBackend(self.sessions, self.keeper, self.said.append, self.above)
        self.above.shop = self.shop
        receivers = Receivers(self.shop.receive_entries, self.shop.settle, self.said.append)
        route = Route(range(NUMBER_MAX + 1), self.shop.receive)
        self.analyser_handler = AnalyserHandler(self.sessions, receivers, route)

    async def hear(self, kind: type[Message], count: int = 1) -> list[Any]:
        def heard() -> list[Any]:
            return [message for message in self.above.up if isinstance(message, kind)]

        await until(lambda: len(heard()) >= count)
        return heard()


class Below:
    """An analyser below whose words a test chooses."""

    def __init__(self, relay: Relay, name: str = "a") -> None:
        self.session = AnalyserSession()
        side = AnalyserSide(AnalyserHello(name=name, cores=1), self.session)
        master_link, self.link = memory_pair(MasterSide(), side)
        self.served = asyncio.create_task(
            relay.analyser_handler.serve(master_link, Endpoint("", f"{name}:1", is_ours=True))
        )
        self._pending: list[Any] = []

    async def ready(self, workers: int = 1, digest: str = DIGEST) -> "Below":
        if self.link.connection.is_settled is False:
            await self.next(MasterHello)
        engine = Engine(game="noop", digest=digest, power=1.0, services=SERVICES)
        self.link.send(engine, Ready(workers=workers))
        return self

    async def next(self, kind: type[Message]) -> Any:
        async with asyncio.timeout(5):
            while True:
                while self._pending:
                    event = self._pending.pop(0)
                    if isinstance(event, MessageReceived) and isinstance(event.message, kind):
                        return event.message
                    if isinstance(event, PeerClosed) and kind is Bye:
                        return event
                self._pending += await self.link.events()

    def play(self, request: Trials, *values: float) -> None:
        part, attempt = request.part, request.attempt
        for seq, value in enumerate(values, request.first_seq):
            self.link.send(Trial(part=part, attempt=attempt, seq=seq, values=(value,)))
        if len(values) == request.count:
            digest = context_digest(request.context)
            self.link.send(
                Done(part=part, attempt=attempt, context_digest=digest, count=request.count)
            )


@pytest.fixture
async def relay() -> AsyncIterator[Relay]:
    made = Relay()
    yield made
    await made.shop.close()
    await made.sessions.close("over")


def trials(part: int, count: int = 2, context: str = CONTEXT) -> Trials:
    return Trials(part=part, attempt=3, first_seq=0, count=count, context=context)


async def test_it_can_compute_once_somebody_is_there(relay: Relay) -> None:
    loading = asyncio.create_task(relay.shop.load())
    await asyncio.sleep(0)
    assert not loading.done()
    assert (relay.shop.worker_count, relay.shop.offers, relay.shop.games) == (0, (), ())
    await Below(relay).ready(3)
    await loading
    await Below(relay, "b").ready(2)
    await until(lambda: relay.above.announced == [3, 5])
    assert relay.shop.games == ("noop",)
    assert [offer.power for offer in relay.shop.offers] == [2.0]


async def test_a_part_goes_down_and_its_results_up_and_are_acknowledged(relay: Relay) -> None:
    below = await Below(relay).ready()
    assert relay.shop.submit(trials(9), is_refused=False) == []
    request = await below.next(Trials)
    below.link.send(Progress(part=request.part, attempt=request.attempt, steps=5))
    await until(lambda: bool(relay.shop.progress()))
    assert relay.shop.live_count == 1
    below.play(request, 0.5, 1.0)
    (done,) = await relay.hear(Done)
    assert (done.part, done.attempt, done.count) == (9, 3, 2)
    assert (await below.next(Ack)).count == 3


async def test_what_goes_no_further_is_acknowledged_later() -> None:
    relay = Relay(results_max=2)
    below = await Below(relay).ready()
    relay.shop.submit(trials(9, 4), is_refused=False)
    below.play(await below.next(Trials), 0.0, 0.25, 0.5, 1.0)
    await relay.hear(Trial, 2)
    await asyncio.sleep(0)
    assert below.session.first_unacked == 1
    relay.shop.hold(True)
    relay.shop.allow(9)
    assert len(relay.above.up) == 2
    relay.shop.hold(False)
    await relay.hear(Done)
    await until(lambda: below.session.first_unacked == 6)
    await relay.sessions.close("over")


async def test_stops_refusals_and_what_cannot_be_read(relay: Relay) -> None:
    below = await Below(relay).ready()
    relay.shop.submit(trials(1), is_refused=False)
    await below.next(Trials)
    relay.shop.stop((1, 3))
    await below.next(Stop)
    relay.shop.submit(trials(2), is_refused=True)
    relay.shop.submit(trials(3, context="what/1"), is_refused=False)
    relay.shop.submit(trials(4, context=QUESTION), is_refused=False)
    assert [fail.code for fail in await relay.hear(Fail, 3)] == [
        "draining", "bad-context", "bad-context"
    ]  # fmt: skip


async def test_a_question_that_is_urgent_goes_down_as_one(relay: Relay) -> None:
    below = await Below(relay).ready()
    asked = Question(part=1, attempt=0, service="analyse", context=QUESTION, urgent=True)
    relay.shop.submit(asked, is_refused=False)
    request = await below.next(Question)
    assert (request.service, request.context, request.urgent) == ("analyse", QUESTION, True)


async def test_parts_of_one_that_is_lost_go_to_another(relay: Relay) -> None:
    first, second = await Below(relay).ready(), await Below(relay, "b").ready()
    await until(lambda: relay.shop.worker_count == 2)
    relay.shop.submit(trials(1), is_refused=False)
    first.play(await first.next(Trials), 0.5)
    await relay.hear(Trial)
    first.link.abort()
    request = await second.next(Trials)
    assert (request.first_seq, request.count) == (1, 1)
    second.play(request, 1.0)
    await relay.hear(Done)
    assert relay.above.announced == [1, 2, 1]
    second.link.send(Drain())
    await until(lambda: relay.above.announced == [1, 2, 1, 1])
    second.link.abort()
    await until(lambda: relay.shop.worker_count == 0)


async def test_one_of_another_engine_is_said_and_counted(relay: Relay) -> None:
    await Below(relay).ready()
    await until(lambda: relay.shop.worker_count == 1)
    await Below(relay, "b").ready(1, "f" * 16)
    await until(lambda: bool(relay.said))
    assert relay.said == [
        f"analyser b:1: engine-mismatch: not used: b: its noop engine is {'f' * 16}, that of the"
        f" others {DIGEST}"
    ]
    assert relay.keeper.counts == {"engine-mismatch": 1}


async def test_one_that_says_what_nobody_may_say_is_refused(relay: Relay) -> None:
    below = await Below(relay).ready()
    relay.shop.submit(trials(1), is_refused=False)
    below.play(await below.next(Trials), 0.3)
    end = await below.next(Bye)
    assert end.reason.startswith("bad-value: a: ")
    assert "refused from now on" in relay.said[0]
    again = Below(relay)
    assert (await again.next(Bye)).reason.startswith("refused: quarantined: a: ")


async def test_a_line_too_long_for_all_fails(relay: Relay) -> None:
    below = Below(relay)
    await below.ready()
    await until(lambda: relay.shop.worker_count == 1)
    session = relay.sessions.get(1)
    assert session is not None
    assert session.link is not None
    side = session.link.connection
    assert isinstance(side, MasterSide)
    assert side.greeting is not None
    side.greeting = side.greeting.model_copy(update={"line_bytes_max": 20})
    relay.shop.submit(trials(1), is_refused=False)
    (fail,) = await relay.hear(Fail)
    assert fail.code == "line-too-long"


async def test_entries_are_sent_up_and_to_the_others_while_a_search_runs(relay: Relay) -> None:
    first, second = await Below(relay).ready(), await Below(relay, "b").ready()
    await until(lambda: relay.shop.worker_count == 2)
    first.link.send(Entries(game="noop", text="early"), Ping(token="t"))
    await first.next(Pong)
    relay.shop.submit(Search(part=1, attempt=0, context=QUESTION, news=4), is_refused=False)
    assert (await first.next(Search)).news == 4
    first.link.send(Entries(game="noop", text="found"))
    assert (await second.next(Entries)).text == "found"
    assert await relay.hear(Entries) == [Entries(game="noop", text="found")]
    relay.shop.learn(Entries(game="noop", text="from above"))
    relay.shop.learn(Entries(game="othello", text="of no use here"))
    for below in (first, second):
        assert (await below.next(Entries)).text == "from above"


async def test_the_next_master_finds_no_session_with_entries(relay: Relay) -> None:
    below = await Below(relay).ready()
    await until(lambda: relay.shop.worker_count == 1)
    relay.shop.cancel_all()
    assert relay.shop.worker_count == 1
    relay.shop.learn(Entries(game="noop", text="x"))
    relay.shop.cancel_all()
    assert (await below.next(Bye)).reason == "another master is served from now on"
    assert relay.above.announced == [1, 0]
    assert Answer(part=1, attempt=0, text="x") not in relay.above.up


HELLO = AnalyserHello(name="a", cores=1)
ENGINE = Engine(game="noop", digest="0" * 16, power=1.0)


def open_fleet(said: list[str], access: Access = NOBODY_ELSE) -> tuple[Fleet, Above]:
    fleet, above = Fleet("relay", access, said.append), Above()
    above.shop = fleet.open_backend(above)
    return fleet, above


async def be_analyser(link: object) -> None:
    async for event in link:  # type: ignore[attr-defined]
        if isinstance(getattr(event, "message", None), MasterHello):
            link.send(ENGINE, Ready(workers=2))  # type: ignore[attr-defined]


async def test_one_dials_in_and_one_is_called_on() -> None:
    said: list[str] = []
    fleet, above = open_fleet(said)
    theirs = await serve_tcp("127.0.0.1", 0, lambda: AnalyserSide(HELLO), be_analyser)
    entry = FleetEntry("attic", Address("127.0.0.1", theirs.port))
    async with fleet:
        port = await fleet.start(Address("127.0.0.1", 0), [entry])
        assert port is not None
        link = await connect_tcp("127.0.0.1", port, AnalyserSide(HELLO))
        dialling_in = asyncio.create_task(be_analyser(link))
        assert above.shop is not None
        shop = above.shop
        await until(lambda: shop.worker_count == 4)
    await dialling_in
    assert shop.worker_count == 0
    await theirs.aclose()


async def test_nobody_listens_unless_asked_to() -> None:
    fleet, _ = open_fleet([])
    async with fleet:
        assert await fleet.start(None, []) is None


async def test_strangers_are_counted() -> None:
    said: list[str] = []
    fleet, _ = open_fleet(said, EVERYBODY)
    async with fleet:
        port = await fleet.start(Address("127.0.0.1", 0), [])
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\n")
        await until(lambda: bool(fleet.keeper.counts))
        writer.close()


async def test_an_address_that_others_reach_needs_a_guard() -> None:
    fleet, _ = open_fleet([])
    async with fleet:
        with pytest.raises(MasterError, match="anybody who reaches"):
            await fleet.start(Address("", 0), [])
