from protocol.control import Ok, Submit
from protocol.events import LineRejected, MessageReceived
from protocol.sides.control import ControlSide


def test_both_ends_speak_the_control_messages() -> None:
    ours, theirs = ControlSide(), ControlSide()
    ours.send(Submit(request=1, context="noop/1"))
    events = theirs.receive(ours.bytes_to_send(), 0.0)
    assert events == [MessageReceived(Submit(request=1, context="noop/1"))]
    theirs.send(Ok(request=1, job=7))
    assert ours.receive(theirs.bytes_to_send(), 0.0) == [MessageReceived(Ok(request=1, job=7))]


def test_line_that_cannot_be_read_is_answered_by_its_number_if_that_can() -> None:
    side = ControlSide()
    events = side.receive(b"halt 9\nhalt x\n\xff 9\n", 0.0)
    assert [type(event) for event in events] == [LineRejected] * 3
    said = side.bytes_to_send().decode().splitlines()
    assert said[0] == "error bad-arguments text=halt:%20too%20few%20fields request=9"
    assert [" request=" in line for line in said] == [True, False, False]


def test_nobody_is_given_up_for_being_silent_within_two_hours() -> None:
    side = ControlSide()
    side.tick(0.0)
    assert side.tick(3_599.0) == []
    assert side.bytes_to_send() == b""
    side.tick(3_600.0)
    assert side.bytes_to_send() == b"ping keepalive-1\n"
    assert not side.is_closed
