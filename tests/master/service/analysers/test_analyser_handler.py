"""The analyser handler between fake analysers and listeners that only note their events."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.contexts import context_digest
from master.contract.commands import HandOut, IncidentKind, StopPart
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnalyserResized,
    AnswerArrived,
    EngineOffer,
    Outcome,
    PartEnded,
    TrialsArrived,
)
from master.search.running.search_sessions import to_wire
from master.service.analysers import analyser_handler
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.incident_book import (
    INCIDENTS_MAX,
    NAMES_MAX,
    TEXT_CHARACTERS_MAX,
    IncidentBook,
)
from master.service.analysers.sessions import RETURN_GRACE_S
from protocol.aio import memory_pair
from protocol.events import MessageReceived
from protocol.messages import (
    Ack,
    AnalyserHello,
    Answer,
    Done,
    Drain,
    Engine,
    Entries,
    MasterHello,
    Pong,
    Question,
    Ready,
    Search,
    Stop,
    Trials,
)
from protocol.sides import AnalyserSide, MasterSide, Timing
from tests.master.service.hall import DIGEST, Hall, Peer, hand_out, searcher


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    hall = Hall()
    yield hall
    await hall.sessions.close("over")


async def test_analyser_is_announced_with_its_engines(hall: Hall) -> None:
    await Peer(hall).get_ready()
    offer = EngineOffer("noop", DIGEST, 2.0)
    assert await hall.next() == AnalyserReady(1, "a", 3, (offer,), "attic")


async def test_part_goes_out_and_its_results_come_back(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    hall.sessions.hand_out(hand_out(4))
    assert (await peer.message(Trials)).first_seq == 4
    hall.sessions.stop_part(StopPart(1, 4, 1))
    await peer.message(Stop)
    peer.answer(4, 4)
    assert await hall.next() == TrialsArrived(1, 4, 1, 4, [(0.5,)])
    assert await hall.next() == PartEnded(1, 4, 1, Outcome.DONE, 1)


@pytest.mark.parametrize("service", ["moves", "analyse", "expectimax"])
async def test_question_goes_out_by_its_service_and_its_answer_comes_back(
    hall: Hall, service: str
) -> None:
    peer = Peer(hall)
    await peer.message(MasterHello)
    engine = Engine(game="noop", digest=DIGEST, power=2.0, services=(service,))
    peer.link.send(engine, Ready(workers=3))
    await hall.next()
    hall.sessions.hand_out(HandOut(1, 4, 1, -1, 7, 1, "x/1 a", service, is_urgent=True))
    asked = Question(part=4, attempt=1, service=service, context="x/1 a", urgent=True)
    assert await peer.message(Question) == asked
    done = Done(part=4, attempt=1, context_digest=context_digest("x/1 a"), count=1)
    peer.link.send(Answer(part=4, attempt=1, text="so so"), done)
    assert await hall.next() == AnswerArrived(1, 4, 1, "so so")
    assert await hall.next() == PartEnded(1, 4, 1, Outcome.DONE, 1)


async def test_services_of_an_engine_are_announced(hall: Hall) -> None:
    peer = Peer(hall)
    await peer.message(MasterHello)
    services = ("trials", "moves")
    engine = Engine(game="noop", digest=DIGEST, power=2.0, services=services)
    peer.link.send(engine, Ready(workers=3))
    offer = EngineOffer("noop", DIGEST, 2.0, services)
    assert await hall.next() == AnalyserReady(1, "a", 3, (offer,), "attic")


async def test_killed_analyser_is_lost_at_once_and_waited_for_shortly(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    peer.link.abort()
    lost = await hall.next()
    assert isinstance(lost, AnalyserLost)
    assert (lost.grace_s, lost.is_orderly) == (RETURN_GRACE_S, False)


async def test_silent_analyser_is_given_up_at_its_deadline(hall: Hall) -> None:
    timing = Timing(ping_after_s=0.02, dead_after_s=0.06)
    hello = AnalyserHello(name="mute", cores=1)
    master_link, link = memory_pair(MasterSide(timing=timing), AnalyserSide(hello))
    served = asyncio.create_task(hall.analyser_handler.serve(master_link, Endpoint("", "x")))
    async for event in link:
        if isinstance(event, MessageReceived):
            link.send(Ready(workers=1))
            break
    await hall.next()
    link.pause_writing()
    lost = await hall.next()
    assert isinstance(lost, AnalyserLost)
    assert "peer-silent" in lost.reason
    assert not lost.is_orderly
    link.abort()
    await served


async def test_good_bye_is_no_death(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    peer.link.send(Drain())
    assert await hall.next() == AnalyserDraining(1)
    await peer.link.aclose("drained")
    assert await hall.next() == AnalyserLost(1, "drained", 0.0, True)


async def test_session_that_comes_back_in_time_keeps_its_number_and_its_results(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    hall.sessions.hand_out(hand_out(4))
    await peer.message(Trials)
    peer.link.abort()
    peer.answer(4, 4)
    assert isinstance(await hall.next(), AnalyserLost)
    again = await Peer(hall, peer.session).get_ready()
    ready = await hall.next()
    assert isinstance(ready, AnalyserReady)
    assert (ready.analyser, ready.name) == (1, "a")
    assert await hall.next() == TrialsArrived(1, 4, 1, 4, [(0.5,)])
    again.link.abort()


async def test_unreadable_line_is_one_warning(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    transport = peer.link._transport
    assert transport is not None
    for _ in range(3):
        transport.write(b"what is this\n")
    peer.link.send(Drain())
    await hall.next()
    assert len(hall.warnings) == 1
    assert "unknown-verb" in hall.warnings[0]


async def test_search_goes_past_the_scheduler(hall: Hall) -> None:
    peer = await searcher(hall)
    part = to_wire(1, 1)
    request = Search(part=part, attempt=1, context="x/1 a", news=3, urgent=True)
    hall.sessions.send(1, request)
    assert await peer.message(Search) == request
    done = Done(part=part, attempt=1, context_digest=context_digest("x/1 a"), count=1)
    entries = Entries(game="noop", text="abc")
    peer.link.send(entries, Answer(part=part, attempt=1, text="so so"), done)
    assert await hall.searched.get() == (1, entries)
    assert await hall.searched.get() == (1, AnswerArrived(1, part, 1, "so so"))
    assert await hall.searched.get() == (1, PartEnded(1, part, 1, Outcome.DONE, 1))
    assert hall.events.empty()
    await peer.message(Ack)


async def test_ready_said_again_resizes_with_the_engines_of_now(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    peer.link.send(Engine(game="noop", digest=DIGEST, power=4.0), Ready(workers=6))
    assert await hall.next() == AnalyserResized(1, 6, (EngineOffer("noop", DIGEST, 4.0),))
    session = hall.sessions.get(1)
    assert session is not None
    assert (session.workers, session.is_draining) == (6, False)


async def measured(hall: Hall, count: int = 1) -> None:
    """Wait for answers."""
    async with asyncio.timeout(5):
        while hall.pongs < count:  # noqa: ASYNC110  # nobody else tells
            await asyncio.sleep(0)


async def test_answer_says_how_long_it_took_and_nobody_is_asked_twice_at_once() -> None:
    hall = Hall()
    peer = await Peer(hall).get_ready()
    await hall.next()
    (session,) = hall.sessions
    assert session.round_trip_s is None
    hall.round_trips.probe()
    first = session.asked
    hall.round_trips.probe()
    assert session.asked is first
    await measured(hall)
    assert session.round_trip_s is not None
    assert session.round_trip_s >= 0.0
    hall.round_trips.probe()
    assert session.asked is first
    await peer.link.aclose()


async def test_it_is_measured_again_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyser_handler, "INTERVAL_S", 0.0)
    hall = Hall()
    peer = await Peer(hall).get_ready()
    await hall.next()
    for count in (1, 2):
        hall.round_trips.probe()
        await measured(hall, count)
    await peer.link.aclose()


async def test_answer_to_nothing_says_nothing() -> None:
    hall = Hall()
    peer = await Peer(hall).get_ready()
    await hall.next()
    (session,) = hall.sessions
    hall.round_trips.receive(session, Pong(token="round-trip-1"))
    hall.round_trips.probe()
    hall.round_trips.receive(session, Pong(token="another"))
    assert session.round_trip_s is None
    await peer.link.aclose()


async def test_who_loads_its_engines_is_not_asked() -> None:
    hall = Hall()
    peer = Peer(hall)
    hall.round_trips.probe()
    assert all(session.asked is None for session in hall.sessions)
    await peer.link.aclose()


noted = st.tuples(st.sampled_from("ab"), st.sampled_from(IncidentKind), st.text("xyz ", max_size=9))


@given(st.lists(noted, max_size=40))
def test_all_are_counted_and_the_latest_are_kept(
    incidents: list[tuple[str, IncidentKind, str]],
) -> None:
    book = IncidentBook()
    for at, (name, kind, text) in enumerate(incidents):
        book.record(name, kind, text, str(at))
    for name in "ab":
        own = [
            (str(at), each[1].value, each[2])
            for at, each in enumerate(incidents)
            if each[0] == name
        ]
        assert sum(count for _, count in book.counts(name)) == len(own)
        assert dict(book.counts(name)).keys() == {kind for _, kind, _ in own}
        kept = [(one.at, one.kind, one.text) for one in book.latest(name)]
        assert kept == own[-INCIDENTS_MAX:]


def test_who_was_quiet_for_longest_is_forgotten() -> None:
    book = IncidentBook()
    for number in range(NAMES_MAX):
        book.record(str(number), IncidentKind.STALLED, "x", "now")
    book.record("0", IncidentKind.STALLED, "x", "now")
    book.record("new", IncidentKind.STALLED, "x", "now")
    assert book.counts("0") == (("stalled", 2),)
    assert book.counts("1") == ()
    assert book.latest("1") == ()


def test_long_text_is_cut() -> None:
    book = IncidentBook()
    book.record("a", IncidentKind.STALLED, "x" * 1_000, "now")
    (one,) = book.latest("a")
    assert len(one.text) == TEXT_CHARACTERS_MAX
    assert one.text.endswith("x…")
