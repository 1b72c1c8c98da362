"""The sessions of analysers, their acknowledgements, and analysers that are refused."""

from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.commands import Quarantine, StopPart
from master.contract.events import (
    AnalyserLost,
    AnalyserReady,
    Outcome,
    PartEnded,
)
from master.search.running.search_sessions import to_wire
from master.service.analysers import sessions
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import (
    BREAKERS_MAX,
    REFUSED_S_MAX,
    REFUSED_S_MIN,
    AckMarks,
    Refusals,
)
from protocol.codes import LocalProtocolError
from protocol.messages import (
    Ack,
    Drain,
    MasterHello,
    Search,
    Stop,
    Trials,
)
from protocol.session import AnalyserSession
from tests.master.service.hall import Hall, Peer, hand_out, searcher


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    hall = Hall()
    yield hall
    await hall.sessions.close("over")


async def test_namesakes_are_distinguished(hall: Hall) -> None:
    names = []
    for _ in range(2):
        await Peer(hall).get_ready()
        event = await hall.next()
        assert isinstance(event, AnalyserReady)
        names.append(event.name)
    assert names == ["a", "a#2"]


@pytest.mark.parametrize(
    ("endpoint", "lines"),
    [
        (
            Endpoint.inbound("attic:1"),
            ["analyser a (attic:1) joins: 3 workers", "analyser a (attic:1) leaves: drained"],
        ),
        (Endpoint("attic", "attic:4321"), ["analyser attic joins: 3 workers"]),
    ],
    ids=["dials", "is dialled"],
)
async def test_log_has_a_line_when_an_analyser_joins_and_one_when_it_leaves(
    hall: Hall, endpoint: Endpoint, lines: list[str]
) -> None:
    log: list[str] = []
    hall.sessions.listen(lambda session, event: log.append(sessions.log_line(session, event)))
    peer = await Peer(hall, endpoint=endpoint).get_ready()
    await hall.next()
    peer.link.send(Drain())
    await hall.next()
    await peer.link.aclose("drained")
    await hall.next()
    assert [line for line in log if line] == lines


async def test_nothing_is_acknowledged_before_it_is_stored(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    hall.sessions.hand_out(hand_out(4))
    await peer.message(Trials)
    peer.answer(4, 4)
    await hall.next()
    await hall.next()
    assert peer.session.first_unacked == 1
    hall.stored = 1
    hall.sessions.acknowledge(1)
    assert (await peer.message(Ack)).count == 2


async def test_session_that_comes_back_too_late_starts_anew(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    await peer.link.aclose("for a while")
    await hall.next()
    await Peer(hall, peer.session).get_ready()
    ready = await hall.next()
    assert isinstance(ready, AnalyserReady)
    assert ready.analyser == 2


async def test_second_connection_of_a_session_takes_the_place_of_the_first(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    await Peer(hall, peer.session).message(MasterHello)
    assert isinstance(await hall.next(), AnalyserLost)


async def test_session_of_a_dialled_analyser_comes_back_only_where_it_was_dialled(
    hall: Hall,
) -> None:
    endpoint = Endpoint("", "attic:1", is_returning=True)
    first = await Peer(hall, endpoint=endpoint).get_ready()
    await hall.next()
    overheard = AnalyserSession(
        first.session.name
    )  # all that a stranger could have of it, and more
    for other in (Endpoint.inbound("attic:2"), Endpoint("", "cellar:1", is_returning=True)):
        stranger = Peer(hall, overheard, endpoint=other)
        assert (await stranger.message(MasterHello)).session != first.session.name
    assert not first.link.is_closed
    back = Peer(hall, first.session, endpoint=endpoint)
    assert (await back.message(MasterHello)).session == first.session.name


async def test_part_that_meets_a_drain_fails_at_once(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    peer.link.send(Drain())
    await hall.next()
    ended = hall.sessions.hand_out(hand_out(4))
    assert isinstance(ended, PartEnded)
    assert (ended.outcome, ended.code) == (Outcome.FAIL, "draining")


async def test_quarantined_analyser_is_refused_by_name(hall: Hall) -> None:
    peer = await Peer(hall).get_ready()
    await hall.next()
    hall.sessions.quarantine(Quarantine(1, "bad-value", "it lies"))
    await peer.served
    again = Peer(hall)
    assert await again.served == "quarantined: it lies"
    assert again.endpoint.state == "quarantined"


async def test_commands_for_analysers_that_are_gone_go_nowhere(hall: Hall) -> None:
    assert hall.sessions.hand_out(hand_out(4, analyser=9)) is None
    hall.sessions.stop_part(StopPart(9, 4, 1))
    hall.sessions.quarantine(Quarantine(9, "bad-value", "x"))
    assert list(hall.sessions) == []


async def test_search_cannot_be_sent_to_who_does_not_offer_it(hall: Hall) -> None:
    await Peer(hall).get_ready()
    await hall.next()
    with pytest.raises(LocalProtocolError, match="does not offer search"):
        hall.sessions.send(1, Search(part=to_wire(1, 1), attempt=1, context="x/1 a"))
    hall.sessions.send(9, Stop(part=1, attempt=1))  # it is gone


async def test_who_listens_hears_who_is_there(hall: Hall) -> None:
    peer = await searcher(hall)
    peer.link.send(Drain())
    await hall.next()
    peer.link.abort()
    await peer.served
    assert hall.changes == [(1, "ready"), (1, "draining"), (1, "gone")]


async def test_dropped_analyser_may_come_again_with_a_new_session(hall: Hall) -> None:
    peer = await searcher(hall)
    hall.sessions.drop(1, "a stop was never answered")
    assert hall.changes[-1] == (1, "gone")
    lost = await hall.next()
    assert isinstance(lost, AnalyserLost)
    assert lost.reason == "closed: a stop was never answered"
    await peer.served
    await Peer(hall, peer.session).get_ready()
    ready = await hall.next()
    assert isinstance(ready, AnalyserReady)
    assert ready.analyser == 2
    hall.sessions.drop(1, "it is gone")


async def test_rule_breaker_that_comes_again_under_new_names_is_kept_out(hall: Hall) -> None:
    honest = await Peer(hall, name="honest").get_ready()
    await hall.next()
    for number in range(BREAKERS_MAX):
        peer = await Peer(hall, name=f"renamed{number}").get_ready()
        await hall.next()
        hall.sessions.quarantine(Quarantine(2 + number, "bad-value", "it lies"))
        await peer.served
    again = Peer(hall, name="fresh")
    assert await again.served == (
        "3 analysers of attic broke rules: no new one of it is taken for 60 s"
    )
    assert again.endpoint.state == "quarantined"
    await honest.link.aclose("back soon")
    await honest.served
    await Peer(hall, name="honest").get_ready()


steps = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3), st.integers(0, 3)))


@given(steps)
def test_exactly_the_results_whose_tickets_are_stored_come_out(
    rows: list[tuple[int, int, int]],
) -> None:
    marks = AckMarks()
    received = ticket = stored = 0
    noted: list[tuple[int, int]] = []
    for results, issued, committed in rows:
        received, ticket = received + results, ticket + issued
        marks.record(received, ticket)
        noted.append((received, ticket))
        stored = min(stored + committed, ticket)
        assert marks.durable(stored) == max((count for count, t in noted if t <= stored), default=0)


def test_results_behind_an_unstored_ticket_wait() -> None:
    marks = AckMarks()
    marks.record(3, 1)
    marks.record(5, 2)
    assert [marks.durable(stored) for stored in (0, 1, 1, 2)] == [0, 3, 3, 5]


def test_results_that_store_nothing_wait_for_those_before_them() -> None:
    marks = AckMarks()
    marks.record(3, 1)
    marks.record(4, 1)
    assert [marks.durable(stored) for stored in (0, 1)] == [0, 4]


def endpoint(host: str = "attic", port: int = 1, certificate: str = "") -> Endpoint:
    return Endpoint.inbound(f"{host}:{port}", certificate)


def broken(count: int, at: Endpoint, now: float = 0.0) -> Refusals:
    known = Refusals()
    for number in range(count):
        known.refuse(f"renamed{number}", at, "quarantined: it lies", now)
    return known


def test_name_that_broke_a_rule_is_refused_at_its_host_from_any_port() -> None:
    known = broken(1, endpoint())
    assert known.reason("renamed0", endpoint(port=2), 1e9) == "quarantined: it lies"
    assert known.reason("renamed0", endpoint("cellar"), 0.0) == ""
    assert known.reason("other", endpoint(), 0.0) == ""


def test_host_of_many_rule_breakers_gets_no_new_names_for_a_while() -> None:
    known = broken(BREAKERS_MAX, endpoint())
    text = known.reason("fresh", endpoint(port=9), 0.0)
    assert text == "3 analysers of attic broke rules: no new one of it is taken for 60 s"
    assert known.reason("fresh", endpoint("cellar"), 0.0) == ""
    assert known.reason("fresh", endpoint(), REFUSED_S_MIN) == ""


def test_each_further_rule_breaker_doubles_the_wait_up_to_a_bound() -> None:
    known = broken(BREAKERS_MAX + 1, endpoint())
    assert known.reason("fresh", endpoint(), 2 * REFUSED_S_MIN - 1.0)
    assert not known.reason("fresh", endpoint(), 2 * REFUSED_S_MIN)
    many = broken(1000, endpoint())
    assert many.reason("fresh", endpoint(), REFUSED_S_MAX - 1.0)
    assert not many.reason("fresh", endpoint(), REFUSED_S_MAX)


def test_analyser_that_was_served_may_come_again_whatever_others_of_its_host_do() -> None:
    known = Refusals()
    known.note_served("honest", endpoint())
    for number in range(10):
        known.refuse(f"renamed{number}", endpoint(), "quarantined", 0.0)
    assert known.reason("honest", endpoint(port=5), 0.0) == ""
    assert known.reason("fresh", endpoint(), 0.0)


def test_certificate_counts_where_there_is_one() -> None:
    known = broken(BREAKERS_MAX, endpoint(certificate="ab" * 32))
    assert "the certificate abababababababab broke" in known.reason(
        "fresh", endpoint("cellar", certificate="ab" * 32), 0.0
    )
    assert known.reason("fresh", endpoint(certificate="cd" * 32), 0.0) == ""


def test_analysers_that_are_dialled_close_no_host() -> None:
    known = broken(10, Endpoint("", "attic:1", is_returning=True))
    assert known.reason("fresh", Endpoint("", "attic:2", is_returning=True), 0.0) == ""


def test_tables_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "NAMES_MAX", 5)
    known = broken(20, endpoint())
    assert list(known) == [(f"renamed{number}", "attic") for number in range(15, 20)]
