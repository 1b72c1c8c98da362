"""Each event says of a connection what its docstring promises, whatever bytes come."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Codec, decode, encode
from protocol.codes import CODES
from protocol.events import (
    EOF_REASON,
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    UnknownPartReceived,
)
from protocol.messages import Bye, Error, MasterHello, Ping, Pong, Stop, Trial, Trials
from protocol.plain import BAD_LINES_MAX, Connection
from protocol.sides import MasterSide

CODEC = Codec((Ping, Pong, Bye, Error, Stop))
LAST = (ProtocolFailed, PeerClosed)

lines = st.sampled_from(
    [
        *("stop 1 2", "stop 3 4", "pong mine", "error bad-field", "ping a"),
        *("", "hello", "stop", "stop x y"),
        *("bye", "bye reason=late", "busy by=you", "error wrong-order text=no"),
    ]
)
bad_lines = st.lists(st.just("hello"), min_size=BAD_LINES_MAX + 1, max_size=BAD_LINES_MAX + 3)
streams = st.lists(lines, max_size=30) | bad_lines


def started() -> Connection:
    connection = Connection(CODEC)
    connection.tick(0.0)
    return connection


def heard(connection: Connection, line: str) -> list[LinkEvent]:
    return connection.receive(line.encode() + b"\n", 1.0)


def reported(connection: Connection) -> list[str]:
    return connection.bytes_to_send().decode().splitlines()


@given(streams)
def test_a_stream_has_one_last_event_and_nothing_behind_it(stream: list[str]) -> None:
    connection = started()
    events = [event for line in stream for event in heard(connection, line)]
    events += connection.receive_eof(2.0) + heard(connection, "stop 1 2") + connection.tick(99.0)
    assert [isinstance(event, LAST) for event in events] == [False] * (len(events) - 1) + [True]
    assert all(isinstance(event, get_args(LinkEvent)) for event in events)
    assert connection.is_closed


@given(streams)
def test_every_event_says_what_became_of_its_line(stream: list[str]) -> None:
    connection = started()
    for line in stream:
        events, answers = heard(connection, line), reported(connection)
        if connection.is_closed:
            assert [isinstance(event, LAST) for event in events] == [True]
            return
        check(line, events, answers)


def check(line: str, events: list[LinkEvent], answers: list[str]) -> None:
    """Check the events and the answers of a line that has not closed the connection."""
    if line.startswith("ping"):
        assert (events, answers) == ([], [line.replace("ping", "pong")])
        return
    (event,) = events
    if isinstance(event, LineRejected):
        assert [decode(answer) for answer in answers] == [Error(code=event.code, text=event.text)]
        assert not CODES[event.code].is_closing
    else:
        assert event == MessageReceived(decode(line))
        assert answers == []


def test_whoever_breaks_the_protocol_is_told_why() -> None:
    connection = started()
    for _ in range(BAD_LINES_MAX):
        heard(connection, "hello")
    reported(connection)
    (event,) = heard(connection, "hello")
    assert isinstance(event, ProtocolFailed)
    assert [decode(line) for line in reported(connection)] == [
        Error(code=event.code, text=event.text)
    ]
    assert CODES[event.code].is_closing
    late = started()
    (event,) = [*late.tick(1000.0), *late.tick(2000.0)]
    assert isinstance(event, ProtocolFailed)
    assert decode(reported(late)[-1]) == Error(code=event.code, text=event.text)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("bye", "bye"),
        ("bye reason=late", "late"),
        ("error wrong-order text=not%20now", "wrong-order: not now"),
    ],
)
def test_a_peer_that_leaves_says_why(line: str, reason: str) -> None:
    connection = started()
    assert heard(connection, line) == [PeerClosed(reason)]
    assert reported(connection) == []
    assert reason != EOF_REASON


def test_a_stream_that_ends_without_a_word_has_a_reason_of_its_own() -> None:
    assert started().receive_eof(1.0) == [PeerClosed(EOF_REASON)]


@pytest.mark.parametrize(
    ("part", "attempt", "is_known"), [(7, 0, True), (7, 1, False), (8, 0, False)]
)
def test_a_result_is_of_an_unknown_part_unless_that_attempt_is_outstanding(
    part: int, attempt: int, is_known: bool
) -> None:
    side = MasterSide()
    side.tick(0.0)
    side.receive(b"analyser 2.2 name=attic cores=4\n", 1.0)
    side.send(MasterHello(name="me", session="s"))
    side.receive(b"ready 4\n", 1.0)
    side.send(Trials(part=7, attempt=0, first_seq=10, count=2, context="noop/1"))
    trial = Trial(part=part, attempt=attempt, seq=10, values=(0.5,))
    kind = MessageReceived if is_known else UnknownPartReceived
    assert side.receive(encode(trial), 1.0) == [kind(trial)]
    assert not side.is_closed


def test_events_of_two_kinds_are_never_one() -> None:
    message = Stop(part=1, attempt=2)
    trial = Trial(part=1, attempt=2, seq=3, values=(0.5,))
    events = {
        MessageReceived(message),
        MessageReceived(trial),
        UnknownPartReceived(trial),
        LineRejected("bad-field", "x"),
        ProtocolFailed("bad-field", "x"),
        PeerClosed("x"),
    }
    assert len(events) == 6
    kinds = get_args(LinkEvent)
    assert {type(event) for event in events} == {*kinds}
    assert all(sum(isinstance(event, kind) for kind in kinds) == 1 for event in events)
    assert MessageReceived(Stop(part=1, attempt=2)) in events
