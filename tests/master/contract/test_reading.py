from hypothesis import given
from hypothesis import strategies as st

from master.contract.events import AnswerArrived, Outcome, PartEnded, Progressed, TrialsArrived
from master.contract.reading import to_events
from protocol.events import (
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
    UnknownPartReceived,
)
from protocol.messages import (
    Answer,
    Done,
    Drain,
    Engine,
    Fail,
    Message,
    Progress,
    Ready,
    Stopped,
    Trial,
)

DIGEST = "0123456789abcdef"


def trial(part: int, seq: int) -> Trial:
    return Trial(part=part, attempt=1, seq=seq, values=(seq / 2,))


def read(*messages: Message) -> list[object]:
    return list(to_events(7, [MessageReceived(message) for message in messages]))


def test_consecutive_trials_of_an_attempt_become_one_event() -> None:
    assert read(trial(1, 5), trial(1, 6), trial(2, 9)) == [
        TrialsArrived(7, 1, 1, 5, [(2.5,), (3.0,)]),
        TrialsArrived(7, 2, 1, 9, [(4.5,)]),
    ]


def test_trials_are_told_before_the_end_of_their_part() -> None:
    done = Done(part=1, attempt=1, context_digest=DIGEST, count=1)
    assert read(trial(1, 5), done) == [
        TrialsArrived(7, 1, 1, 5, [(2.5,)]),
        PartEnded(7, 1, 1, Outcome.DONE, 1),
    ]


def test_answer_is_told_before_the_end_of_its_part() -> None:
    done = Done(part=1, attempt=1, context_digest=DIGEST, count=1)
    assert read(Answer(part=1, attempt=1, text="a b=c"), done) == [
        AnswerArrived(7, 1, 1, "a b=c"),
        PartEnded(7, 1, 1, Outcome.DONE, 1),
    ]


def test_every_end_of_a_part_has_its_outcome() -> None:
    stopped = Stopped(part=1, attempt=2, context_digest=DIGEST, count=3)
    fail = Fail(part=4, attempt=5, code="engine-error", text="oops")
    assert read(stopped, fail) == [
        PartEnded(7, 1, 2, Outcome.STOPPED, 3),
        PartEnded(7, 4, 5, Outcome.FAIL, 0, "engine-error", "oops"),
    ]


def test_progress_and_what_is_about_the_analyser_come_in_order() -> None:
    engine, ready, drain = Engine(game="noop", digest=DIGEST, power=1.0), Ready(workers=1), Drain()
    progress = Progress(part=1, attempt=1, steps=9)
    assert read(engine, ready, progress, drain) == [engine, ready, Progressed(7, 1, 1, 9), drain]


def test_results_of_parts_that_are_gone_and_ends_of_connections_are_left_out() -> None:
    rejected = LineRejected("bad-field", "x")
    events: list[LinkEvent] = [
        UnknownPartReceived(trial(1, 1)),
        rejected,
        PeerClosed("bye"),
        ProtocolFailed("wrong-order", ""),
    ]
    assert list(to_events(7, events)) == [rejected]


@given(st.lists(st.tuples(st.integers(1, 2), st.booleans())))
def test_no_trial_is_lost_or_moved(rows: list[tuple[int, bool]]) -> None:
    messages: list[Message] = []
    seqs = {1: 0, 2: 0}
    for part, is_progress in rows:
        if is_progress:
            messages.append(Progress(part=part, attempt=1, steps=1))
        else:
            messages.append(trial(part, seqs[part]))
            seqs[part] += 1
    reported = [
        (event.part, event.first_seq + i, values)
        for event in read(*messages)
        if isinstance(event, TrialsArrived)
        for i, values in enumerate(event.values)
    ]
    sent = [(m.part, m.seq, m.values) for m in messages if isinstance(m, Trial)]
    assert reported == sent
