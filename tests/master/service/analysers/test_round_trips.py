import asyncio

import pytest

from master.service.analysers import round_trips
from protocol.messages import Pong
from tests.master.service.hall import Hall, Peer


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
    monkeypatch.setattr(round_trips, "INTERVAL_S", 0.0)
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
