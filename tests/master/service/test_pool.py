"""The pool alone, between fake analysers and a host that only notes what it is told."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from engine_ext.noop.runner import noop_context
from engine_ext.services import context_digest
from master.contract.commands import HandOut, Quarantine, StopPart
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnswerArrived,
    EngineOffer,
    Event,
    Outcome,
    PartEnded,
    TrialsArrived,
)
from master.search.numbering import to_wire
from master.service.doors import Door
from master.service.pool import RETURN_GRACE_S, Pool, Seat
from protocol.aio import memory_pair
from protocol.codes import LocalProtocolError
from protocol.connection import AnalyserSide, MasterSide, Timing
from protocol.events import MessageReceived, PeerClosed
from protocol.messages import (
    Ack,
    AnalyserHello,
    Answer,
    Done,
    Drain,
    Engine,
    Entries,
    MasterHello,
    Message,
    Question,
    Ready,
    Search,
    Stop,
    Trial,
    Trials,
)
from protocol.session import AnalyserSession

CONTEXT = noop_context()
DIGEST = context_digest(CONTEXT)


class NotingHost:
    def __init__(self) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self.warnings: list[str] = []
        self.seats: list[tuple[int, str]] = []
        self.searched: asyncio.Queue[tuple[int, object]] = asyncio.Queue()
        self.given = 0
        self.stored = 0

    def feed(self, *events: Event) -> None:
        for event in events:
            if isinstance(event, TrialsArrived):
                self.given += 1
            self.events.put_nowait(event)

    def note_seat(self, seat: Seat) -> None:
        state = "gone" if not seat.is_ready else "draining" if seat.is_draining else "ready"
        self.seats.append((seat.number, state))

    def take_search(self, seat: Seat, told: object) -> None:
        self.searched.put_nowait((seat.number, told))

    def warn(self, text: str) -> None:
        self.warnings.append(text)

    def last_ticket(self) -> int:
        return self.given

    def stored_ticket(self) -> int:
        return self.stored

    async def next(self) -> Event:
        async with asyncio.timeout(5):
            return await self.events.get()


class Peer:
    """The analyser's end, moved by hand."""

    def __init__(
        self,
        pool: Pool,
        session: AnalyserSession | None = None,
        name: str = "a",
        door: Door | None = None,
    ) -> None:
        self.session = session or AnalyserSession()
        hello = AnalyserHello(name=name, cores=1)
        master_link, self.link = memory_pair(MasterSide(), AnalyserSide(hello, self.session))
        self.door = door or Door.inbound("attic:1")
        self.served = asyncio.create_task(pool.serve(master_link, self.door))
        self._pending: list[Any] = []

    async def message(self, kind: type[Message]) -> Any:
        """Return the next message of a kind."""
        async with asyncio.timeout(5):
            while True:
                while self._pending:
                    event = self._pending.pop(0)
                    if isinstance(event, MessageReceived) and isinstance(event.message, kind):
                        return event.message
                    if isinstance(event, PeerClosed) and kind is Message:
                        return event
                self._pending += await self.link.events()

    async def get_ready(self) -> "Peer":
        await self.message(MasterHello)
        self.link.send(Engine(game="noop", digest=DIGEST, power=2.0), Ready(workers=3))
        return self

    def answer(self, part: int, seq: int) -> None:
        self.link.send(
            Trial(part=part, attempt=1, seq=seq, values=(0.5,)),
            Done(part=part, attempt=1, context_digest=DIGEST, count=1),
        )


@pytest.fixture
async def host() -> NotingHost:
    return NotingHost()


@pytest.fixture
async def pool(host: NotingHost) -> AsyncIterator[Pool]:
    pool = Pool(host, "master")
    yield pool
    await pool.close("over")


def hand_out(part: int, analyser: int = 1) -> HandOut:
    return HandOut(analyser, part, 1, 1, part, 1, CONTEXT)


async def test_analyser_is_announced_with_its_engines(pool: Pool, host: NotingHost) -> None:
    await Peer(pool).get_ready()
    offer = EngineOffer("noop", DIGEST, 2.0)
    assert await host.next() == AnalyserReady(1, "a", 3, (offer,))


async def test_namesakes_are_told_apart(pool: Pool, host: NotingHost) -> None:
    names = []
    for _ in range(2):
        await Peer(pool).get_ready()
        event = await host.next()
        assert isinstance(event, AnalyserReady)
        names.append(event.name)
    assert names == ["a", "a#2"]


async def test_part_goes_out_and_its_results_come_back(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    pool.hand_out(hand_out(4))
    assert (await peer.message(Trials)).first_seq == 4
    pool.stop_part(StopPart(1, 4, 1))
    await peer.message(Stop)
    peer.answer(4, 4)
    assert await host.next() == TrialsArrived(1, 4, 1, 4, [(0.5,)])
    assert await host.next() == PartEnded(1, 4, 1, Outcome.DONE, 1)


@pytest.mark.parametrize("service", ["moves", "analyse", "expectimax"])
async def test_question_goes_out_by_its_service_and_its_answer_comes_back(
    pool: Pool, host: NotingHost, service: str
) -> None:
    peer = Peer(pool)
    await peer.message(MasterHello)
    engine = Engine(game="noop", digest=DIGEST, power=2.0, services=(service,))
    peer.link.send(engine, Ready(workers=3))
    await host.next()
    pool.hand_out(HandOut(1, 4, 1, -1, 7, 1, "x/1 a", service, is_urgent=True))
    asked = Question(part=4, attempt=1, service=service, context="x/1 a", urgent=True)
    assert await peer.message(Question) == asked
    done = Done(part=4, attempt=1, context_digest=context_digest("x/1 a"), count=1)
    peer.link.send(Answer(part=4, attempt=1, text="so so"), done)
    assert await host.next() == AnswerArrived(1, 4, 1, "so so")
    assert await host.next() == PartEnded(1, 4, 1, Outcome.DONE, 1)


async def test_services_of_an_engine_are_announced(pool: Pool, host: NotingHost) -> None:
    peer = Peer(pool)
    await peer.message(MasterHello)
    services = ("trials", "moves")
    engine = Engine(game="noop", digest=DIGEST, power=2.0, services=services)
    peer.link.send(engine, Ready(workers=3))
    offer = EngineOffer("noop", DIGEST, 2.0, services)
    assert await host.next() == AnalyserReady(1, "a", 3, (offer,))


async def test_nothing_is_acknowledged_before_it_is_stored(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    pool.hand_out(hand_out(4))
    await peer.message(Trials)
    peer.answer(4, 4)
    await host.next()
    await host.next()
    assert peer.session.first_unacked == 1
    host.stored = 1
    pool.acknowledge(1)
    assert (await peer.message(Ack)).count == 2


async def test_killed_analyser_is_lost_at_once_and_waited_for_shortly(
    pool: Pool, host: NotingHost
) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    peer.link.abort()
    lost = await host.next()
    assert isinstance(lost, AnalyserLost)
    assert (lost.grace_s, lost.is_orderly) == (RETURN_GRACE_S, False)


async def test_silent_analyser_is_given_up_at_its_deadline(pool: Pool, host: NotingHost) -> None:
    timing = Timing(ping_after_s=0.02, dead_after_s=0.06)
    hello = AnalyserHello(name="mute", cores=1)
    master_link, link = memory_pair(MasterSide(timing=timing), AnalyserSide(hello))
    served = asyncio.create_task(pool.serve(master_link, Door("", "x")))
    async for event in link:
        if isinstance(event, MessageReceived):
            link.send(Ready(workers=1))
            break
    await host.next()
    link.pause_writing()
    lost = await host.next()
    assert isinstance(lost, AnalyserLost)
    assert "peer-silent" in lost.reason
    assert not lost.is_orderly
    link.abort()
    await served


async def test_good_bye_is_no_death(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    peer.link.send(Drain())
    assert await host.next() == AnalyserDraining(1)
    await peer.link.aclose("drained")
    assert await host.next() == AnalyserLost(1, "drained", 0.0, True)


async def test_session_that_comes_back_in_time_keeps_its_number_and_its_results(
    pool: Pool, host: NotingHost
) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    pool.hand_out(hand_out(4))
    await peer.message(Trials)
    peer.link.abort()
    peer.answer(4, 4)
    assert isinstance(await host.next(), AnalyserLost)
    again = await Peer(pool, peer.session).get_ready()
    ready = await host.next()
    assert isinstance(ready, AnalyserReady)
    assert (ready.analyser, ready.name) == (1, "a")
    assert await host.next() == TrialsArrived(1, 4, 1, 4, [(0.5,)])
    again.link.abort()


async def test_session_that_comes_back_too_late_starts_anew(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    await peer.link.aclose("for a while")
    await host.next()
    await Peer(pool, peer.session).get_ready()
    ready = await host.next()
    assert isinstance(ready, AnalyserReady)
    assert ready.analyser == 2


async def test_second_connection_of_a_session_takes_the_place_of_the_first(
    pool: Pool, host: NotingHost
) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    await Peer(pool, peer.session).message(MasterHello)
    assert isinstance(await host.next(), AnalyserLost)


async def test_session_of_a_dialled_analyser_comes_back_only_where_it_was_dialled(
    pool: Pool, host: NotingHost
) -> None:
    door = Door("", "attic:1", is_returning=True)
    first = await Peer(pool, door=door).get_ready()
    await host.next()
    overheard = AnalyserSession(
        first.session.name
    )  # all that a stranger could have of it, and more
    for other in (Door.inbound("attic:2"), Door("", "cellar:1", is_returning=True)):
        stranger = Peer(pool, overheard, door=other)
        assert (await stranger.message(MasterHello)).session != first.session.name
    assert not first.link.is_closed
    back = Peer(pool, first.session, door=door)
    assert (await back.message(MasterHello)).session == first.session.name


async def test_part_that_meets_a_drain_fails_at_once(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    peer.link.send(Drain())
    await host.next()
    pool.hand_out(hand_out(4))
    ended = await host.next()
    assert isinstance(ended, PartEnded)
    assert (ended.outcome, ended.code) == (Outcome.FAIL, "draining")


async def test_quarantined_analyser_is_refused_by_name(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    pool.quarantine(Quarantine(1, "bad-value", "it lies"))
    await peer.served
    again = Peer(pool)
    assert await again.served == "quarantined: it lies"
    assert again.door.state == "quarantined"


async def test_commands_for_analysers_that_are_gone_go_nowhere(pool: Pool) -> None:
    pool.hand_out(hand_out(4, analyser=9))
    pool.stop_part(StopPart(9, 4, 1))
    pool.quarantine(Quarantine(9, "bad-value", "x"))
    assert pool.all_seats == []


async def test_unreadable_line_is_one_warning(pool: Pool, host: NotingHost) -> None:
    peer = await Peer(pool).get_ready()
    await host.next()
    transport = peer.link._transport
    assert transport is not None
    for _ in range(3):
        transport.write(b"what is this\n")
    peer.link.send(Drain())
    await host.next()
    assert len(host.warnings) == 1
    assert "unknown-verb" in host.warnings[0]


async def searcher(pool: Pool, host: NotingHost) -> Peer:
    peer = Peer(pool)
    await peer.message(MasterHello)
    engine = Engine(game="noop", digest=DIGEST, power=2.0, services=("search",))
    peer.link.send(engine, Ready(workers=3))
    await host.next()
    return peer


async def test_search_goes_past_the_scheduler(pool: Pool, host: NotingHost) -> None:
    peer = await searcher(pool, host)
    part = to_wire(1, 1)
    request = Search(part=part, attempt=1, context="x/1 a", news=3, urgent=True)
    pool.send(1, request)
    assert await peer.message(Search) == request
    done = Done(part=part, attempt=1, context_digest=context_digest("x/1 a"), count=1)
    entries = Entries(game="noop", text="abc")
    peer.link.send(entries, Answer(part=part, attempt=1, text="so so"), done)
    assert await host.searched.get() == (1, entries)
    assert await host.searched.get() == (1, AnswerArrived(1, part, 1, "so so"))
    assert await host.searched.get() == (1, PartEnded(1, part, 1, Outcome.DONE, 1))
    assert host.events.empty()
    await peer.message(Ack)


async def test_search_cannot_be_sent_to_who_does_not_offer_it(pool: Pool, host: NotingHost) -> None:
    await Peer(pool).get_ready()
    await host.next()
    with pytest.raises(LocalProtocolError, match="does not offer search"):
        pool.send(1, Search(part=to_wire(1, 1), attempt=1, context="x/1 a"))
    pool.send(9, Stop(part=1, attempt=1))  # it is gone


async def test_searches_hear_who_is_there(pool: Pool, host: NotingHost) -> None:
    peer = await searcher(pool, host)
    peer.link.send(Drain())
    await host.next()
    peer.link.abort()
    await peer.served
    assert host.seats == [(1, "ready"), (1, "draining"), (1, "gone")]


async def test_dropped_analyser_may_come_again_with_a_new_session(
    pool: Pool, host: NotingHost
) -> None:
    peer = await searcher(pool, host)
    pool.drop(1, "a stop was never answered")
    assert host.seats[-1] == (1, "gone")
    lost = await host.next()
    assert isinstance(lost, AnalyserLost)
    assert lost.reason == "closed: a stop was never answered"
    await peer.served
    await Peer(pool, peer.session).get_ready()
    ready = await host.next()
    assert isinstance(ready, AnalyserReady)
    assert ready.analyser == 2
    pool.drop(1, "it is gone")
