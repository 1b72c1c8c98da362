"""A session goes on over a new connection: results that were not received are sent again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import decode
from protocol.messages import (
    AnalyserHello,
    Done,
    MasterHello,
    Ready,
    Trial,
)
from protocol.plain import OUT_BYTES_HIGH
from protocol.session import AnalyserSession, MasterSession
from protocol.sides import (
    AnalyserSide,
    MasterSide,
)
from tests.protocol.sides.test_common import (
    DIGEST,
    GREETED,
    HELLO,
    M_REQUESTED,
    REQUESTED,
    analyser,
    master,
)
from tests.protocol.transcript import Conversation


def broken() -> tuple[MasterSession, AnalyserSession]:
    """A session with part 7 outstanding: 2 results sent, 1 received, then the link broke."""
    ours, theirs = MasterSession("s"), AnalyserSession()
    conversation = analyser(REQUESTED, theirs)
    conversation.play("+ trial 7 0 10 0.5\n< trial *\n+ trial 7 0 11 0.25\n< trial *")
    master(M_REQUESTED + "> trial 7 0 10 0.5", ours)
    return ours, theirs


def test_results_not_received_are_sent_again_behind_ready() -> None:
    ours, theirs = broken()
    theirs.keep(Done(part=7, attempt=0, context_digest=DIGEST, count=2))
    conversation = analyser(
        """
        < analyser 2.2 * session=09b99517d409d49d * first_unacked=1
        > master 2.2 name=me session=s received=1
        + ready 4
        < ready 4
        < trial 7 0 11 0.25
        """
        + f"< done 7 0 {DIGEST} 2\n> ack 3",
        theirs,
    )
    assert isinstance(conversation.side, AnalyserSide)
    assert conversation.side.is_resumed
    assert theirs.first_unacked == 4
    assert ours.outstanding == [(7, 0)]
    back = master(
        "> analyser 2.2 name=attic cores=4 session=09b99517d409d49d first_unacked=1", ours
    )
    back.play("+ master 2.2 name=me session=s received=1\n< master *\n> ready 4")
    back.play(f"> trial 7 0 11 0.25\n> done 7 0 {DIGEST} 2\n+ ack 3\n< ack 3")
    assert ours.outstanding == []


@pytest.mark.parametrize(("session", "is_resumed"), [("09b99517d409d49d", True), ("s", False)])
def test_master_knows_its_session_by_the_public_id(session: str, is_resumed: bool) -> None:
    greeting = f"> analyser 2.2 name=attic cores=4 session={session}"
    side = master(greeting, MasterSession("s")).side
    assert isinstance(side, MasterSide)
    assert side.is_resumed is is_resumed


def test_greeting_shows_no_secret_and_its_id_takes_nothing_over() -> None:
    theirs = AnalyserSession("9f" * 16)
    conversation = Conversation(AnalyserSide(HELLO, theirs))
    greeting = decode(conversation.lines[0])
    assert isinstance(greeting, AnalyserHello)
    assert theirs.name not in conversation.lines.pop()
    conversation.play(f"> master 2.2 name=me session={greeting.session}")
    assert isinstance(conversation.side, AnalyserSide)
    assert not conversation.side.is_resumed
    assert theirs.name not in repr(MasterHello(name="me", session=theirs.name))


def test_new_master_starts_a_new_session_only_at_ready() -> None:
    _, theirs = broken()
    conversation = analyser(GREETED + "> master 2.2 name=you session=other", theirs)
    assert theirs.result_count == 2
    conversation.play("+ busy by=me\n< busy by=me")
    assert (theirs.name, theirs.result_count) == ("s", 2)
    conversation = analyser(GREETED + "> master 2.2 name=you session=other", theirs)
    conversation.play("+ ready 4\n< ready 4")
    assert (theirs.name, theirs.result_count, theirs.outstanding) == ("other", 0, frozenset())


@pytest.mark.parametrize("hello", ["session=s received=3", "session=t received=1"])
def test_session_cannot_go_on_from_results_that_never_were(hello: str) -> None:
    _, theirs = broken()
    conversation = analyser(GREETED, theirs)
    conversation.play(f"> master 2.2 name=me {hello}\n< error bad-resume *\n! *bad-resume")


def test_unnamed_session_is_not_offered_again() -> None:
    theirs = AnalyserSession()
    conversation = analyser(GREETED + "> master 2.2 name=me\n+ ready 1\n< ready 1", theirs)
    conversation.play("> trials 1 0 0 1 context=a\n+ trial 1 0 0 1\n< trial 1 0 0 1.0")
    conversation = analyser("< * session= *\n> master 2.2 name=me\n+ ready 1\n< ready 1", theirs)
    assert theirs.result_count == 0


def test_results_after_the_end_of_a_connection_are_kept() -> None:
    theirs = AnalyserSession()
    conversation = analyser(REQUESTED, theirs)
    conversation.side.receive_eof(1.0)
    conversation.side.send_or_drop(Trial(part=7, attempt=0, seq=10, values=(0.5,)))
    conversation.side.send_or_drop(Ready(workers=1))
    assert theirs.result_count == 1
    assert conversation.side.bytes_to_send() == b""


@given(st.integers(0, 300), st.integers(0, 300), st.lists(st.integers(1, 9), max_size=20))
def test_long_list_of_results_is_sent_again_in_order_while_new_ones_come(
    kept: int, received: int, new: list[int]
) -> None:
    theirs = AnalyserSession("s")
    values = (0.1,) * 64
    for seq in range(kept):
        theirs.keep(Trial(part=1, attempt=0, seq=seq, values=values))
    received = min(received, kept)
    side = AnalyserSide(HELLO, theirs)
    side.receive(b"master 2.2 name=me session=s received=%d\n" % received, 0.0)
    side.send(Ready(workers=1))
    data = side.bytes_to_send()
    seq = kept
    for count in new:
        for _ in range(count):
            side.send(Trial(part=1, attempt=0, seq=seq, values=(0.5,)))
            seq += 1
        data += side.bytes_to_send()
    while side.has_output:
        data += side.bytes_to_send()
    sent = [int(line.split()[3]) for line in data.splitlines() if line.startswith(b"trial ")]
    assert sent == list(range(received, seq))


def test_results_sent_again_leave_in_bounded_pieces() -> None:
    theirs = AnalyserSession("s")
    for seq in range(5_000):
        theirs.keep(Trial(part=1, attempt=0, seq=seq, values=(0.1,) * 64))
    side = AnalyserSide(HELLO, theirs)
    side.receive(b"master 2.2 name=me session=s\n", 0.0)
    side.send(Ready(workers=1))
    pieces = []
    while side.has_output:
        pieces.append(len(side.bytes_to_send()))
        side.receive(b"ack %d\n" % min(5_000, 100 * len(pieces)), 1.0)
    assert len(pieces) == 2
    assert max(pieces) < OUT_BYTES_HIGH + 1_000
