"""Links over fake transports and in memory: results, ends and their reasons, back-pressure."""

import asyncio
import socket
import ssl
from collections.abc import Callable

import pytest

from protocol.aio.link import EVENTS_HIGH, Link
from protocol.aio.memory import memory_pair
from protocol.aio.reasons import reason_of
from protocol.codes import LocalProtocolError
from protocol.events import EOF_REASON, LinkEvent
from protocol.intake import TURN_LINES
from protocol.messages import Drain, Info, MasterHello, Progress, Trials
from protocol.plain import ANSWER_BYTES_HIGH
from protocol.sides import (
    MasterSide,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    Timing,
)
from tests.protocol.aio.peers import (
    CONTEXT,
    EXPECTED,
    analyse,
    analyser_side,
    collect,
    roll_out,
    start_work,
)

GREETING = b"analyser 2.2 name=attic cores=2\n"


class FakeTransport:
    """Notes what a link does to its transport; writing pauses on request."""

    def __init__(self) -> None:
        self.written = b""
        self.calls: list[str] = []

    def write(self, data: bytes) -> None:
        self.written += data

    def pause_reading(self) -> None:
        self.calls.append("pause")

    def resume_reading(self) -> None:
        self.calls.append("resume")

    def close(self) -> None:
        self.calls.append("close")

    def abort(self) -> None:
        self.calls.append("abort")


def working_link(timing: Timing | None = None) -> tuple[Link, FakeTransport]:
    link, transport = Link(MasterSide(timing=timing or Timing())), FakeTransport()
    link.attach(transport)
    link.data_received(GREETING)
    link.send(MasterHello(name="me"))
    link.data_received(b"ready 2\n")
    return link, transport


async def turn() -> None:
    """Let the loop do what it has been asked to do so far."""
    for _ in range(3):
        await asyncio.sleep(0)


async def test_messages_of_one_turn_leave_in_one_write() -> None:
    link, transport = working_link()
    await turn()
    transport.written = b""
    link.send(Trials(part=1, attempt=0, first_seq=0, count=1, context="a"))
    link.send(Trials(part=2, attempt=0, first_seq=0, count=1, context="a"))
    assert transport.written == b""
    await turn()
    assert transport.written.count(b"\n") == 2
    link.abort()


async def test_events_come_in_order_and_end_with_the_connection() -> None:
    link, _ = working_link()
    link.data_received(b"drain\nbye reason=late\n")
    events = [event async for event in link]
    verbs = [event.message.verb for event in events[:-1] if isinstance(event, MessageReceived)]
    assert verbs == ["analyser", "ready", "drain"]
    assert events[-1] == PeerClosed("late")
    assert await link.events() == []
    link.abort()


async def test_events_are_delivered_in_their_turn_and_answers_leave_behind_them() -> None:
    link, transport = working_link()
    verbs: list[str] = []

    def receive(events: list[LinkEvent]) -> None:
        news = [event.message.verb for event in events if isinstance(event, MessageReceived)]
        verbs.extend(news)
        if news == ["drain"]:
            link.send(Drain())
            assert not transport.written.endswith(b"drain\n")

    delivery = asyncio.ensure_future(link.deliver(receive))
    await turn()
    assert verbs == ["analyser", "ready"]
    link.data_received(b"drain\n")
    assert verbs == ["analyser", "ready", "drain"]
    assert transport.written.endswith(b"drain\n")
    link.data_received(b"bye\n")
    await asyncio.wait_for(delivery, 1)
    link.abort()


async def test_consumer_that_fails_ends_the_delivery() -> None:
    link, _ = working_link()

    def receive(events: list[LinkEvent]) -> None:
        assert len(events) == 2, "broken"

    delivery = asyncio.ensure_future(link.deliver(receive))
    await turn()
    link.data_received(b"drain\n")
    link.data_received(b"drain\n")
    with pytest.raises(AssertionError, match="broken"):
        await asyncio.wait_for(delivery, 1)
    link.abort()


async def test_failed_peer_gets_the_reason_before_the_transport_closes() -> None:
    link, transport = working_link()
    link.data_received(b"master 2.2 name=x\n")
    await turn()
    assert transport.written.splitlines()[-1].startswith(b"error wrong-order ")
    assert transport.calls == ["close"]
    assert isinstance((await link.events())[-1], ProtocolFailed)
    link.abort()


async def test_last_bytes_leave_before_the_close_even_if_writing_was_paused() -> None:
    link, transport = working_link()
    await turn()
    link.pause_writing()
    link.send(Drain())
    link.data_received(b"bye\n")
    await turn()
    assert transport.calls == []
    assert not transport.written.endswith(b"drain\n")
    link.resume_writing()
    assert transport.written.endswith(b"drain\n")
    assert transport.calls == ["close"]
    link.abort()


async def test_drain_waits_while_the_transport_is_full_and_ends_with_the_link() -> None:
    link, _ = working_link()
    await turn()
    await asyncio.wait_for(link.drain(), 1)
    link.pause_writing()
    waiting = asyncio.ensure_future(link.drain())
    await turn()
    assert not waiting.done()
    link.resume_writing()
    await asyncio.wait_for(waiting, 1)
    link.pause_writing()
    waiting = asyncio.ensure_future(link.drain())
    link.abort()
    await asyncio.wait_for(waiting, 1)


@pytest.mark.slow
async def test_reading_pauses_when_nobody_takes_the_events() -> None:
    link, transport = working_link()
    link.send(Trials(part=1, attempt=0, first_seq=0, count=1, context="a"))
    for _ in range(EVENTS_HIGH // TURN_LINES):
        assert "pause" not in transport.calls
        link.data_received(b"progress 1 0 5\n" * TURN_LINES)
        await turn()
    assert transport.calls == ["pause"]
    assert len(await link.events()) == EVENTS_HIGH + 2
    assert transport.calls == ["pause", "resume"]
    link.abort()


async def test_flood_of_one_peer_is_handled_in_turns_between_those_of_others() -> None:
    flooding, transport = working_link()
    flooding.send(Trials(part=1, attempt=0, first_seq=0, count=1, context="a"))
    honest, _ = working_link()
    order: list[tuple[str, int]] = []

    def noting(name: str) -> Callable[[list[LinkEvent]], None]:
        return lambda events: order.append((name, len(events)))

    tasks = [
        asyncio.ensure_future(flooding.deliver(noting("flooding"))),
        asyncio.ensure_future(honest.deliver(noting("honest"))),
    ]
    await turn()
    order.clear()
    flooding.data_received(b"progress 1 0 5\n" * (3 * TURN_LINES))
    assert transport.calls == ["pause"]
    honest.data_received(b"drain\n")
    assert order == [("flooding", TURN_LINES), ("honest", 1)]
    await turn()
    assert order[2:] == [("flooding", TURN_LINES)] * 2
    assert transport.calls == ["pause", "resume"]
    for link in (flooding, honest):
        link.abort()
    await asyncio.gather(*tasks)


async def test_peer_that_reads_no_answer_is_read_no_further_until_it_does() -> None:
    link, transport = working_link()
    await turn()
    link.pause_writing()
    link.data_received(b"ping xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" * 5_000)
    for _ in range(20):
        await turn()
    assert transport.calls == ["pause"]
    assert link.connection.has_input
    waiting = link.connection._out_bytes
    assert ANSWER_BYTES_HIGH < waiting < ANSWER_BYTES_HIGH + 100
    transport.written = b""
    link.resume_writing()
    assert len(transport.written) == waiting
    for _ in range(20):
        await turn()
    assert transport.written.count(b"pong ") == 5_000
    assert transport.calls == ["pause", "resume"]
    link.abort()


async def test_peer_that_never_reads_its_answers_is_dropped_by_name() -> None:
    link, _ = working_link(Timing(write_stall_s=0.02))
    await turn()
    link.pause_writing()
    link.data_received(b"ping xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" * 5_000)
    events = [event async for event in link]
    assert events[-1] == ProtocolFailed("slow-reader", "the peer does not read")
    assert link.connection.bytes_to_send().startswith(b"error slow-reader ")
    link.abort()


async def test_what_was_read_before_the_end_is_handled_before_it() -> None:
    link, _ = working_link()
    link.send(Trials(part=1, attempt=0, first_seq=0, count=1, context="a"))
    link.data_received(b"progress 1 0 5\n" * (2 * TURN_LINES) + b"ping x\n" * 20_000)
    link.connection_lost(ConnectionResetError(104, "Connection reset by peer"))
    assert not link.is_closed
    events = [event async for event in link]
    assert len(events) == 2 + 2 * TURN_LINES + 1
    assert events[-1] == PeerClosed(EOF_REASON)
    assert link.is_closed


async def test_abort_drops_what_waits() -> None:
    link, _ = working_link()
    link.send(Trials(part=1, attempt=0, first_seq=0, count=1, context="a"))
    link.data_received(b"progress 1 0 5\n" * (2 * TURN_LINES))
    link.abort()
    assert link.is_closed
    assert len([event async for event in link]) == 2 + TURN_LINES + 1


async def test_clock_of_the_loop_drives_the_deadlines() -> None:
    link, transport = working_link(Timing(ping_after_s=0.02, dead_after_s=0.05))
    events = [event async for event in link]
    assert events[-1] == ProtocolFailed("peer-silent", events[-1].text)  # type: ignore[union-attr]
    assert b"ping keepalive-1\n" in transport.written
    link.abort()


async def test_lost_transport_is_the_end_once() -> None:
    link, _ = working_link()
    link.connection_lost(ConnectionResetError(104, "Connection reset by peer"))
    link.connection_lost(None)
    events = [event async for event in link]
    assert events[-1] == PeerClosed(EOF_REASON)
    assert link.is_closed


async def test_sending_to_a_peer_that_left_goes_nowhere() -> None:
    link, transport = working_link()
    link.data_received(b"bye\n")
    link.send(Drain())
    await turn()
    assert b"drain" not in transport.written
    link.abort()


async def test_our_own_mistake_is_raised_at_once() -> None:
    link = Link(analyser_side())
    with pytest.raises(LocalProtocolError):
        link.send(Drain())


async def test_close_before_the_greeting_says_nothing() -> None:
    link, transport = Link(MasterSide()), FakeTransport()
    link.attach(transport)
    await asyncio.wait_for(link.aclose("enough"), 5)
    assert transport.calls == ["abort"]
    assert not transport.written


async def test_close_that_the_peer_does_not_take_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.aio.link.CLOSE_TIMEOUT_S", 0.02)
    link, transport = working_link()
    await asyncio.wait_for(link.aclose("enough"), 5)
    assert transport.written.endswith(b"bye reason=enough\n")
    assert transport.calls[0] == "close"
    assert "abort" in transport.calls
    await asyncio.wait_for(link.aclose(), 5)


async def test_close_that_is_cancelled_at_its_very_end_is_cancelled() -> None:
    link, _ = working_link()
    closing = asyncio.create_task(link.aclose("enough"))
    await asyncio.sleep(0)
    link.connection_lost(None)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing


async def test_link_that_has_no_transport_is_closed_at_once() -> None:
    link = Link(analyser_side())  # in a TLS handshake, say
    closing = asyncio.create_task(link.aclose())
    for _ in range(3):
        await asyncio.sleep(0)
    assert closing.done()
    assert link.is_closed


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


def distrusted() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_message = "certificate has expired"
    return error


def wrong_version() -> ssl.SSLError:
    error = ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]")
    error.reason = "WRONG_VERSION_NUMBER"
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(98, "error while attempting to bind on ..."), "Address already in use"),
        (socket.gaierror(-2, "Name or service not known"), "Name or service not known"),
        (TimeoutError("no answer from attic:1 in 10 s"), "no answer from attic:1 in 10 s"),
        (distrusted(), "its certificate is not accepted: certificate has expired"),
        (wrong_version(), "the TLS handshake failed: wrong version number"),
        (ConnectionResetError(), "the connection broke"),
    ],
)
def test_reason_is_said_once_and_in_words(error: OSError, reason: str) -> None:
    assert reason_of(error) == reason
