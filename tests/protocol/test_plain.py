"""A plain connection keeps its time and buffer limits, and its events tell each end and line."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import Codec, decode, encode
from protocol.codes import CODES, LocalProtocolError
from protocol.events import (
    EOF_REASON,
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    UnknownPartReceived,
)
from protocol.intake import TURN_LINES
from protocol.messages import Bye, Error, MasterHello, Ping, Pong, Stop, Trial, Trials
from protocol.plain import (
    ANSWER_BYTES_HIGH,
    BAD_LINES_MAX,
    OUT_BYTES_HIGH,
    OUT_BYTES_MAX,
    Connection,
)
from protocol.sides import MasterSide
from tests.protocol.transcript import Conversation

CODEC = Codec((Ping, Pong, Bye, Error, Stop))


def started() -> Connection:
    connection = Connection(CODEC)
    connection.tick(0.0)
    return connection


def test_pings_are_answered_in_order() -> None:
    connection = started()
    assert connection.receive(b"ping a\nstop 1 2\nping b\n", 1.0) == [
        MessageReceived(Stop(part=1, attempt=2))
    ]
    assert connection.has_output
    assert connection.bytes_to_send() == b"pong a\npong b\n"
    assert not connection.has_output


def test_answers_to_own_pings_only_are_reported() -> None:
    connection = started()
    assert connection.receive(b"pong keepalive-1\npong mine\n", 1.0) == [
        MessageReceived(Pong(token="mine"))
    ]


def test_bogus_commands() -> None:
    Conversation(Connection(CODEC)).play(
        """
        > hello
        < error unknown-verb *
        ! LineRejected unknown-verb
        >
        < error empty-line *
        ! LineRejected empty-line
        > stop
        < error bad-arguments *
        ! LineRejected bad-arguments
        > stop x y
        < error bad-field text=stop:%20part:%20not%20a%20whole%20number
        ! LineRejected bad-field
        > ping still-there
        < pong still-there
        """
    )


def test_malicious_commands() -> None:
    conversation = Conversation(Connection(CODEC))
    for _ in range(BAD_LINES_MAX):
        conversation.play("> GET / HTTP/1.1\n< error unknown-verb *\n! LineRejected unknown-verb")
    conversation.play("> Host: localhost\n< error too-many-errors *\n! ProtocolFailed too-many-*")
    assert conversation.side.is_closed
    conversation.play("> ping 1")


def test_line_lengths() -> None:
    connection = started()
    limit = CODEC.line_bytes_max
    events = connection.receive(b"x" * (10 * limit), 1.0)
    while connection.has_input:
        events += connection.receive(b"", 1.0)
    assert [type(event) for event in events] == [LineRejected]
    assert connection.bytes_to_send().startswith(b"error line-too-long ")
    assert connection.receive(b"x\nping 1\n", 2.0) == []
    assert connection.bytes_to_send() == b"pong 1\n"


def test_errors_are_never_answered_by_errors() -> None:
    Conversation(Connection(CODEC)).play("> error bad-field text=oops\n> error from-the-future")


def test_closing_error_of_the_peer_is_its_end() -> None:
    Conversation(Connection(CODEC)).play(
        "> error wrong-order text=not%20now\n! PeerClosed wrong-order: not now"
    )


def test_bye_ends_it_for_both_sides() -> None:
    heard = Conversation(Connection(CODEC)).play("> bye reason=late\n! PeerClosed late")
    with pytest.raises(LocalProtocolError):
        heard.side.send(Ping(token="1"))
    heard.side.send_or_drop(Ping(token="1"))
    said = Conversation(Connection(CODEC))
    said.side.send(Bye(reason="late"))
    assert said.side.is_closed
    assert said.side.bytes_to_send() == b"bye reason=late\n"
    assert said.side.receive(b"stop 1 2\n", 9.0) == []
    assert said.side.receive_eof(9.0) == []


def test_end_of_the_stream_is_reported_once() -> None:
    connection = started()
    assert connection.receive_eof(1.0) == [PeerClosed("the peer closed the connection")]
    assert connection.receive_eof(1.0) == []
    assert connection.tick(2.0) == []
    assert connection.next_deadline is None


def test_idle_timeout() -> None:
    conversation = Conversation(Connection(CODEC))
    assert conversation.side.next_deadline == 5.0
    conversation.play("@ 4.9\n@ 5\n< ping keepalive-1")
    assert conversation.side.next_deadline == 15.0
    conversation.play("@ 14.9\n> pong keepalive-1")
    assert conversation.side.next_deadline == 19.9
    conversation.play("@ 19.9\n< ping keepalive-2\n@ 29.9\n< error peer-silent *\n! *peer-silent")
    assert conversation.side.next_deadline is None


def test_deadlines_wait_for_the_first_tick() -> None:
    assert Connection(CODEC).next_deadline is None


def test_pause_of_our_own_is_not_the_silence_of_the_peer() -> None:
    conversation = Conversation(Connection(CODEC)).play("@ 5\n< ping keepalive-1")
    conversation.side.record_pause(14.0)
    conversation.play("@ 15\n@ 19\n< ping keepalive-2")


def test_peer_that_takes_no_bytes_is_dropped() -> None:
    connection = started()
    connection.send(Ping(token="1"))
    for now in (4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0):
        connection.receive(b"pong 1\n", now)
        assert connection.tick(now) == []
    assert connection.next_deadline == 34.0
    assert connection.tick(34.0) == [ProtocolFailed("slow-reader", "the peer does not read")]
    assert connection.bytes_to_send().startswith(b"error slow-reader ")


def test_peer_that_takes_some_bytes_is_kept() -> None:
    connection = started()
    for now in range(4, 100, 4):
        connection.send(Ping(token="1"))
        connection.receive(b"pong 1\n", now)
        assert connection.tick(now) == []
        if now % 16 == 0:
            connection.bytes_to_send()


def test_outgoing_buffer_is_bounded() -> None:
    connection = started()
    error = Error(code="bad-field", text="%" * 1_000)
    while not connection.is_closed:
        connection.send(error)
        assert connection.is_writable is (connection._out_bytes < OUT_BYTES_HIGH)
        assert connection._out_bytes <= OUT_BYTES_MAX
    assert connection.next_deadline == float("-inf")
    assert connection.tick(1.0) == [ProtocolFailed("slow-reader", "too much is unread")]
    assert connection.bytes_to_send() == b"error slow-reader text=too%20much%20is%20unread\n"


def test_one_turn_handles_no_more_lines_than_its_limit() -> None:
    connection = started()
    events = connection.receive(b"stop 1 2\n" * (2 * TURN_LINES + 5), 1.0)
    counts = [len(events)]
    while connection.has_input:
        counts.append(len(connection.receive(b"", 1.0)))
    assert counts == [TURN_LINES, TURN_LINES, 5]
    assert events[0] == MessageReceived(Stop(part=1, attempt=2))


def test_flood_of_pings_that_reads_no_answer_is_heard_no_further_and_dropped_in_time() -> None:
    connection = started()
    connection.receive(b"ping xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" * 10_000, 1.0)
    connection.record_stall(1.0)
    while connection.is_listening:
        connection.receive(b"", 1.0)
    assert ANSWER_BYTES_HIGH < connection._out_bytes < ANSWER_BYTES_HIGH + 100
    assert connection.receive(b"", 2.0) == []
    assert connection._out_bytes < ANSWER_BYTES_HIGH + 100
    connection.record_pause(30.5)
    assert connection.next_deadline == 31.0
    assert connection.tick(31.0) == [ProtocolFailed("slow-reader", "the peer does not read")]
    assert not connection.has_input


def test_peer_that_reads_its_answers_is_heard_on() -> None:
    connection = started()
    connection.receive(b"ping xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n" * 10_000, 1.0)
    count = 0
    while connection.has_input:
        count += connection.bytes_to_send().count(b"pong ")
        connection.receive(b"", 1.0)
    assert count + connection.bytes_to_send().count(b"pong ") == 10_000


def test_end_of_the_stream_comes_behind_the_lines_that_wait() -> None:
    connection = started()
    events = connection.receive(b"stop 1 2\n" * 200, 1.0)
    assert connection.receive_eof(1.0) == []
    assert connection.receive_eof(1.0) == []
    while connection.has_input:
        events += connection.receive(b"", 1.0)
    assert len(events) == 201
    assert events[-1] == PeerClosed(EOF_REASON)


@given(st.lists(st.binary(max_size=50)))
def test_any_bytes_give_events_and_no_exception(pieces: list[bytes]) -> None:
    connection = started()
    for now, piece in enumerate(pieces):
        connection.receive(piece, float(now))
        connection.tick(float(now))
        connection.bytes_to_send()


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


def test_peer_that_breaks_the_protocol_gets_the_reason() -> None:
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
