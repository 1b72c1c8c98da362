"""Both sides keep the protocol: dialogues, misbehaving peers, timeouts, and laws of any bytes."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import protocol
from protocol.codec import decode, encode
from protocol.codes import LocalProtocolError
from protocol.messages import (
    Ack,
    AnalyserHello,
    Answer,
    Done,
    Engine,
    Info,
    MasterHello,
    Question,
    Ready,
    Search,
    Trial,
    Trials,
    context_digest,
)
from protocol.plain import BAD_LINES_MAX
from protocol.session import AnalyserSession, MasterSession
from protocol.sides import (
    AnalyserSide,
    Connection,
    LinkEvent,
    MasterSide,
    MessageReceived,
    UnknownPartReceived,
)
from protocol.states import LinkState
from tests.protocol.strategies import any_message
from tests.protocol.transcript import Conversation

HELLO = AnalyserHello(name="attic", cores=4, games=("noop",))
DIGEST = context_digest("noop/1")
GREETED = "< analyser 2.2 name=attic cores=4 *\n"
WORKING = GREETED + "> master 2.2 name=me session=s\n+ ready 4\n< ready 4\n"
REQUESTED = WORKING + "> trials 7 0 10 2 context=noop/1\n"
M_GREETED = "> analyser 2.2 name=attic cores=4 session=old first_unacked=3\n"
M_WORKING = M_GREETED + "+ master 2.2 name=me session=s\n< master *\n> ready 4\n"
M_OFFERED = M_WORKING + "> engine noop digest=0123456789abcdef power=1 services=trials,analyse\n"
M_ASKED = M_OFFERED + "+ question 7 0 analyse context=noop/1 urgent=yes\n< question * urgent=yes\n"
M_SEARCHED = (
    M_WORKING
    + "> engine othello digest=0123456789abcdef power=1 services=search\n"
    + "+ search 7 0 context=noop/1 news=8\n< search 7 0 context=noop/1 news=8\n"
)
M_REQUESTED = M_WORKING + "+ trials 7 0 10 2 context=noop/1\n< trials *\n"


def analyser(text: str = "", session: AnalyserSession | None = None) -> Conversation:
    return Conversation(AnalyserSide(HELLO, session)).play(text)


def master(text: str = "", session: MasterSession | None = None) -> Conversation:
    return Conversation(MasterSide(session)).play(text)


def test_a_rollout_seen_by_the_analyser() -> None:
    analyser(
        REQUESTED
        + f"""
        + progress 7 0 55
        < progress 7 0 55
        + trial 7 0 10 0.5
        < trial 7 0 10 0.5
        + trial 7 0 11 -1e-05
        < trial 7 0 11 -1e-05
        + done 7 0 {DIGEST} 2
        < done 7 0 {DIGEST} 2
        > ack 3
        > drain
        + bye reason=drained
        < bye reason=drained
        """
    )


def test_a_rollout_seen_by_the_master() -> None:
    conversation = master(
        M_REQUESTED
        + f"""
        > trial 7 0 10 0.5
        > progress 7 0 55
        > trial 7 0 11 0.25
        > done 7 0 {DIGEST} 2
        + ack 3
        < ack 3
        > bye reason=tired
        ! PeerClosed tired
        """
    )
    assert isinstance(conversation.side, MasterSide)
    assert conversation.side.session is not None
    assert conversation.side.session.received == 3


@pytest.mark.parametrize("service", ["moves", "analyse"])
def test_a_question_seen_by_the_analyser(service: str) -> None:
    analyser(
        WORKING
        + f"""
        > question 7 0 {service} context=noop/1 urgent=yes
        + progress 7 0 55
        < progress 7 0 55
        + answer 7 0 best = 8/5 6/5
        < answer 7 0 best = 8/5 6/5
        + done 7 0 {DIGEST} 1
        < done 7 0 {DIGEST} 1
        > question 7 0 {service} context=noop/1
        > stop 7 0
        + stopped 7 0 {DIGEST} 0
        < stopped 7 0 {DIGEST} 0
        > ack 3
        """
    )


def test_a_question_seen_by_the_master() -> None:
    conversation = master(
        M_ASKED
        + f"""
        > progress 7 0 55
        > answer 7 0 best = 8/5 6/5
        > done 7 0 {DIGEST} 1
        + ack 2
        < ack 2
        > answer 7 0 late
        ! UnknownPartReceived answer
        """
    )
    assert isinstance(conversation.side, MasterSide)
    assert conversation.side.session is not None
    assert conversation.side.session.received == 3


def test_a_search_seen_by_the_analyser() -> None:
    analyser(
        WORKING
        + f"""
        > search 7 0 context=noop/1 news=8
        > entries othello from the master
        + entries othello from here
        < entries othello from here
        > stop 7 0
        + answer 7 0 so far
        < answer 7 0 so far
        + stopped 7 0 {DIGEST} 1
        < stopped 7 0 {DIGEST} 1
        > drain
        > entries othello late
        + entries othello late as well
        < entries othello late as well
        + error bad-context text=no
        < error bad-context text=no
        > ack 2
        """
    )


def test_a_search_seen_by_the_master_and_entries_are_no_results() -> None:
    conversation = master(
        M_SEARCHED
        + f"""
        > entries othello from there
        + entries othello from here
        < entries othello from here
        > answer 7 0 so far
        > stopped 7 0 {DIGEST} 1
        + ack 2
        < ack 2
        > entries othello late
        """
    )
    assert isinstance(conversation.side, MasterSide)
    assert conversation.side.session is not None
    assert conversation.side.session.received == 2


def test_entries_go_only_to_an_analyser_that_searches_and_takes_the_line() -> None:
    entries = decode("entries othello " + "x" * 2_000)
    with pytest.raises(LocalProtocolError, match="does not offer search"):
        master(M_OFFERED).side.send(entries)
    short = M_SEARCHED.replace("session=old", "session=old line_bytes_max=1024")
    with pytest.raises(LocalProtocolError, match="no line as long"):
        master(short).side.send(entries)
    master(M_SEARCHED).side.send(entries)


def test_analyser_is_asked_only_what_it_offers() -> None:
    for before in (M_WORKING, M_WORKING + "> engine noop digest=0123456789abcdef power=1"):
        with pytest.raises(LocalProtocolError, match="does not offer analyse"):
            master(before).side.send(decode("question 7 0 analyse context=noop/1"))
    with pytest.raises(LocalProtocolError, match="does not offer moves"):
        master(M_OFFERED).side.send(decode("question 7 0 moves context=noop/1"))


@pytest.mark.parametrize("service", ["moves", "analyse"])
def test_misbehaving_master_hands_a_question_out_twice(service: str) -> None:
    again = f"> question 7 0 {service} context=noop/1\n"
    analyser(REQUESTED + again + "< error wrong-order *\n! ProtocolFailed wrong-order")


def test_the_dialogue_of_the_spec() -> None:
    text = Path(protocol.__file__).with_name("SPEC.md").read_text()
    dialogue = text.partition("A dialogue")[2].split("```")[1]
    lines = re.findall(r"^([<>] .*)$", dialogue, re.MULTILINE)
    games = ("backgammon", "chess", "noop", "othello", "threes")
    hello = AnalyserHello(name="attic", cores=4, games=games)
    conversation = Conversation(AnalyserSide(hello))
    for mark, text in ((line[0], line[2:]) for line in lines):
        if mark == ">":
            conversation.hear(text.encode() + b"\n")
        else:
            if not conversation.lines:  # nothing that the connection answers by itself
                conversation.side.send(decode(text))
                conversation.lines = conversation.side.bytes_to_send().decode().splitlines()
            assert conversation.lines.pop(0) == text
    assert conversation.side.is_closed
    assert conversation.lines == []


def test_help_is_answered_by_the_connection_and_the_rest_by_its_owner() -> None:
    side = AnalyserSide(HELLO)
    side.tick(0.0)
    side.bytes_to_send()
    events = side.receive(b"who\nhelp\nstatus\n", 1.0)
    verbs = [event.message.verb for event in events if isinstance(event, MessageReceived)]
    assert verbs == ["who", "help", "status"]
    assert side.bytes_to_send().count(b"info ") > 20
    assert side.state is LinkState.ANSWERING


@pytest.mark.parametrize(
    "line",
    [
        "trials 1 0 0 1 context=noop/1",
        "stop 1 0",
        "ack 0",
        "drain",
        "question 1 0 moves context=noop/1",
        "question 1 0 analyse context=noop/1",
        "ready 4",
        "busy by=me",
        "analyser 2.2 name=me cores=1",
        f"done 1 0 {DIGEST} 1",
    ],
)
def test_misbehaving_master_before_its_hello(line: str) -> None:
    conversation = analyser(GREETED)
    conversation.play(f"> {line}\n< error wrong-order *\n! ProtocolFailed wrong-order")
    assert conversation.side.is_closed


def test_misbehaving_master_sends_requests_before_ready() -> None:
    analyser(GREETED).play(
        """
        > master 2.2 name=me
        > trials 1 0 0 1 context=noop/1
        < error wrong-order *
        ! ProtocolFailed wrong-order
        """
    )


@pytest.mark.parametrize(
    "line", ["trial 1 0 0 1", "answer 1 0 x", "master 2.2 name=me", "progress 1 0 1"]
)
def test_misbehaving_master_sends_what_only_analysers_send(line: str) -> None:
    analyser(WORKING + f"> {line}\n< error wrong-order *\n! ProtocolFailed wrong-order")


def test_misbehaving_master_hands_a_part_out_twice() -> None:
    again = "> trials 7 0 10 2 context=noop/1\n"
    analyser(REQUESTED + again + "< error wrong-order *\n! ProtocolFailed wrong-order")


def test_misbehaving_master_acks_what_was_never_sent() -> None:
    analyser(WORKING + "> ack 0\n> ack 1\n< error bad-ack *\n! ProtocolFailed bad-ack")


def test_person_at_the_analyser_may_mistype_a_few_times() -> None:
    conversation = analyser(GREETED)
    for _ in range(BAD_LINES_MAX):
        conversation.play("> helo\n< error unknown-verb *\n! LineRejected unknown-verb")
    conversation.play("> helo\n< error too-many-errors *\n! ProtocolFailed too-many-errors")


@pytest.mark.parametrize("version", ["1.3", "3.0", "20.0"])
def test_other_version_is_refused_by_both(version: str) -> None:
    end = "< error wrong-version *\n! ProtocolFailed wrong-version"
    analyser(GREETED + f"> master {version} name=me\n{end}")
    master(f"> analyser {version} name=me cores=1\n{end}")


def test_newer_minor_version_is_welcome() -> None:
    analyser(GREETED + "> master 2.99 name=me colour=blue\n+ ready 1\n< ready 1")


@pytest.mark.parametrize(
    "line", ["SSH-2.0-OpenSSH_9.2", "HTTP/1.1 400 Bad Request", "\x16\x03\x01", "analyser 2.0"]
)
def test_master_forgives_nothing_before_the_greeting(line: str) -> None:
    master(f"> {line}\n< error not-manyply *\n! ProtocolFailed not-manyply")


@pytest.mark.parametrize("line", ["ready 4", "ping 1", "bye", "trial 1 0 0 1"])
def test_greeting_comes_first(line: str) -> None:
    conversation = master(f"> {line}\n< error *\n! *")
    assert conversation.side.is_closed


@pytest.mark.parametrize(
    "lines",
    [
        ["trial 7 0 11 0.5"],
        ["trial 7 0 10 0.5", "trial 7 0 10 0.5"],
        [f"done 7 0 {DIGEST} 2"],
        ["trial 7 0 10 1", "trial 7 0 11 1", "done 7 0 0123456789abcdef 2"],
        [f"stopped 7 0 {DIGEST} 1"],
    ],
)
def test_misbehaving_analyser_sends_results_that_do_not_fit(lines: list[str]) -> None:
    conversation = master(M_REQUESTED)
    for line in lines:
        conversation.hear(line.encode() + b"\n")
    conversation.play("< error bad-result *\n! ProtocolFailed bad-result")


@pytest.mark.parametrize(
    "lines",
    [
        ["trial 7 0 0 0.5"],
        ["answer 7 0 a", "answer 7 0 a"],
        [f"done 7 0 {DIGEST} 1"],
        ["answer 7 0 a", f"stopped 7 0 {DIGEST} 1"],
        ["answer 7 0 a", "fail 7 0 engine-error"],
    ],
)
def test_misbehaving_analyser_answers_a_question_otherwise(lines: list[str]) -> None:
    conversation = master(M_ASKED)
    for line in lines:
        conversation.hear(line.encode() + b"\n")
    conversation.play("< error bad-result *\n! ProtocolFailed bad-result")


def test_result_for_an_unknown_part_is_reported_and_counted() -> None:
    side = master(M_REQUESTED).side
    trial = Trial(part=7, attempt=1, seq=10, values=(0.5,))
    assert side.receive(encode(trial), 1.0) == [UnknownPartReceived(trial)]
    assert not side.is_closed
    side.send(Ack(count=1))


def test_busy_analyser_is_left() -> None:
    master(
        M_GREETED + "+ master 2.2 name=me\n< master *\n> busy by=you\n! PeerClosed busy, serves you"
    )
    conversation = analyser(GREETED + "> master 2.2 name=me\n+ busy by=you\n< busy by=you")
    assert conversation.side.is_closed


def test_handshake_timeout() -> None:
    end = "< error handshake-timeout *\n! ProtocolFailed handshake-timeout"
    conversation = master()
    assert conversation.side.next_deadline == 30.0
    conversation.play(f"@ 29.9\n@ 30\n{end}")
    conversation = analyser(GREETED + "> ping 1\n< pong 1")
    assert conversation.side.next_deadline == 30.0
    conversation.play(f"@ 30\n{end}")


def test_analyser_that_loads_for_long_is_pinged_then_given_up() -> None:
    conversation = master(M_GREETED + "+ master 2.2 name=me\n< master *")
    for now in range(5, 120, 5):
        conversation.play(f"@ {now}\n< ping keepalive-*\n> pong keepalive-{now}")
    conversation.play("@ 120\n< error handshake-timeout *\n! ProtocolFailed handshake-timeout")


def test_idle_timeout_of_a_working_link() -> None:
    conversation = analyser(WORKING)
    conversation.play("@ 5\n< ping keepalive-1\n@ 15\n< error peer-silent *\n! *peer-silent")


def test_drained_analyser_still_hears_requests_that_crossed() -> None:
    analyser(
        WORKING
        + """
        + drain
        < drain
        > trials 1 0 0 1 context=noop/1
        + fail 1 0 draining
        < fail 1 0 draining text=
        > question 2 0 moves context=noop/1
        + fail 2 0 draining
        < fail 2 0 draining text=
        """
    )


@pytest.mark.parametrize("drain", ["> drain\n", "+ drain\n< drain\n"])
def test_master_hands_nothing_out_while_draining(drain: str) -> None:
    conversation = master(M_REQUESTED + drain)
    for request in ("trials 8 0 0 1 context=a", "question 8 0 analyse context=a"):
        with pytest.raises(LocalProtocolError, match="draining"):
            conversation.side.send(decode(request))
    conversation.play("> trial 7 0 10 1\n+ stop 7 0\n< stop 7 0")


@pytest.mark.parametrize("line", ["ready 4", "trials 1 0 0 1 context=a", "ack 0", "drain"])
def test_our_own_mistakes_are_local_errors_and_send_nothing(line: str) -> None:
    conversation = master(M_GREETED)
    with pytest.raises(LocalProtocolError):
        conversation.side.send(decode(line))
    assert conversation.side.bytes_to_send() == b""
    conversation.side.receive_eof(1.0)
    with pytest.raises(LocalProtocolError, match="closed"):
        conversation.side.send(MasterHello(name="me"))


def test_request_longer_than_the_analyser_takes_is_our_mistake() -> None:
    conversation = master("> analyser 2.2 name=a cores=1 line_bytes_max=1024")
    conversation.play("+ master 2.2 name=me\n< master *\n> ready 1")
    with pytest.raises(LocalProtocolError, match="no line as long"):
        conversation.side.send(decode("trials 1 0 0 1 context=" + "x" * 1_002))


def test_master_hello_must_name_the_session_of_the_connection() -> None:
    for hello in ("master 2.2 name=me session=t", "master 2.2 name=me session=s received=1"):
        conversation = master(M_GREETED, MasterSession("s"))
        with pytest.raises(LocalProtocolError):
            conversation.side.send(decode(hello))
    with pytest.raises(LocalProtocolError, match="new session"):
        master(M_GREETED).side.send(decode("master 2.2 name=me session=s received=1"))


# Laws.


def sides() -> list[tuple[Connection, bytes]]:
    """Each role in each state, and the bytes that lead a peer's stream there."""
    found: list[tuple[Connection, bytes]] = [(AnalyserSide(HELLO), b""), (MasterSide(), b"")]
    for text in (GREETED + "> master 2.2 name=me", WORKING, REQUESTED, WORKING + "> drain"):
        found.append((analyser(text).side, b""))
    for text in (M_GREETED, M_WORKING, M_REQUESTED, M_ASKED, M_WORKING + "> drain"):
        found.append((master(text).side, b""))
    return found


streams = st.lists(
    any_message.map(encode)
    | st.binary(max_size=30)
    | st.sampled_from(
        [
            b"\n",
            b"trial 7 0 10 1\n",
            b"answer 7 0 a b\n",
            b"question 1 0 moves context=a\n",
            b"ping 1\n",
            b"master 2.2 name=me\n",
        ]
    )
).map(b"".join)


def test_results_that_wait_never_close_an_analysers_ears() -> None:
    side = analyser(WORKING).side
    assert isinstance(side, AnalyserSide)
    side.receive(b"trials 1 0 0 20000 context=a\n", 1.0)
    for seq in range(20_000):
        side.send(Trial(part=1, attempt=0, seq=seq, values=(0.1234567890123,) * 3))
    assert side._out_bytes > 1 << 20
    assert side.is_listening
    side.receive(b"ack 7\n", 1.0)
    assert side.session.first_unacked == 8
    for _ in range(3_000):
        side.send(Info(text="x" * 30))
    assert not side.is_listening


def received(side: Connection, data: bytes) -> list[LinkEvent]:
    """Hand bytes over and take as many turns as they need."""
    events = side.receive(data, 1.0)
    while side.has_input and side.is_listening:
        events += side.receive(b"", 1.0)
    return events


@given(st.integers(0, 10), streams, st.lists(st.integers(0, 2_000)))
@pytest.mark.when_changed
def test_any_bytes_in_any_chunks_give_the_same_events_and_no_exception(
    which: int, stream: bytes, cuts: list[int]
) -> None:
    whole, pieces = sides()[which][0], sides()[which][0]
    expected = received(whole, stream)
    ends = sorted({cut % (len(stream) + 1) for cut in cuts} | {len(stream)})
    found: list[LinkEvent] = []
    for start, end in zip([0, *ends], ends, strict=False):
        found += received(pieces, stream[start:end])
        assert len(pieces._intake._buffer._tail) < 32_768
    assert found == expected
    assert pieces.bytes_to_send() == whole.bytes_to_send()
    assert pieces.is_closed == whole.is_closed


@given(st.lists(st.tuples(st.sampled_from("qmtb"), st.integers(1, 40)), max_size=60))
def test_two_sides_that_keep_the_rules_never_fail(steps: list[tuple[str, int]]) -> None:
    """Bytes cross in pieces of any size, while the master hands out and the analyser answers."""
    theirs, ours = AnalyserSide(HELLO), MasterSide(MasterSession("s"))
    to_master, to_analyser = bytearray(), bytearray()
    part = 0
    for step, size in [*steps, *[("t", 10_000), ("b", 10_000)] * 20]:
        to_master += theirs.bytes_to_send()
        to_analyser += ours.bytes_to_send()
        if step == "t":
            for event in ours.receive(bytes(to_master[:size]), 1.0):
                assert isinstance(event, MessageReceived)
                if isinstance(event.message, AnalyserHello):
                    ours.send(MasterHello(name="me", session="s"))
            del to_master[:size]
        elif step == "b":
            for event in theirs.receive(bytes(to_analyser[:size]), 1.0):
                assert isinstance(event, MessageReceived)
                _answer(theirs, event)
            del to_analyser[:size]
        elif step == "m" and ours.state is LinkState.WORKING:
            part += 1
            ours.send(Trials(part=part, attempt=0, first_seq=0, count=size, context="noop/1"))
        elif step == "q" and ours.state is LinkState.WORKING:
            part += 1
            words = "search {} 0" if size % 3 == 0 else "question {} 0 analyse"
            urgent = " urgent=yes" if size % 5 == 0 else ""
            ours.send(decode(f"{words.format(part)} context=noop/1{urgent}"))
    assert ours.session is not None
    assert ours.session.outstanding == []
    assert ours.session.received == theirs.session.result_count


def _answer(side: AnalyserSide, event: MessageReceived) -> None:
    message = event.message
    if isinstance(message, MasterHello):
        services = ("trials", "moves", "analyse", "search")
        side.send(Engine(game="noop", digest="0" * 16, power=1.0, services=services))
        side.send(Ready(workers=1))
    elif isinstance(message, Trials):
        for seq in range(message.count):
            side.send(Trial(part=message.part, attempt=0, seq=seq, values=(0.5,)))
        side.send(Done(part=message.part, attempt=0, context_digest=DIGEST, count=message.count))
    elif isinstance(message, Question | Search):
        side.send(Answer(part=message.part, attempt=0, text=f" about {message.part} "))
        side.send(Done(part=message.part, attempt=0, context_digest=DIGEST, count=1))


def test_ready_is_said_again_by_an_analyser_whose_workers_changed() -> None:
    again = "+ engine noop digest=0123456789abcdef power=2\n< engine *\n+ ready 6\n< ready 6\n"
    analyser(REQUESTED + again + f"+ trial 7 0 10 0.5\n< trial *\n+ done 7 0 {DIGEST} 1\n< done *")


def test_ready_said_again_is_taken_by_the_master_and_crosses_its_drain() -> None:
    conversation = master(M_REQUESTED + "> ready 6\n+ drain\n< drain\n> ready 2\n")
    assert isinstance(conversation.side, MasterSide)
    assert conversation.side.state is LinkState.DRAINING
    master(M_GREETED + "> ready 6\n< error wrong-order *\n! ProtocolFailed wrong-order")


@pytest.mark.parametrize(("version", "may"), [("2.1", False), ("2.2", True), ("2.10", True)])
def test_only_a_master_that_knows_of_it_hears_ready_again(version: str, may: bool) -> None:
    side = analyser(GREETED + f"> master {version} name=me session=s\n+ ready 4\n< ready 4").side
    assert isinstance(side, AnalyserSide)
    assert side.may_resize is may
