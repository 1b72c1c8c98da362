"""Events, commands, leases and questions of the contract."""

import hashlib
import random
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.contexts import CONTEXT_BYTES_MAX
from engine_ext.noop.question import noop_question
from engine_ext.services import engine_digest
from master.contract.commands import Command, StoppedBy
from master.contract.errors import MasterError
from master.contract.events import (
    AnswerArrived,
    EngineOffer,
    Event,
    Outcome,
    PartEnded,
    Progressed,
    Tick,
    TrialsArrived,
)
from master.contract.job_words import Priority
from master.contract.leases import (
    AFTER_RETURN,
    AFTER_STOP,
    TRANSITIONS,
    Ending,
    Holding,
    Life,
    ending_of,
)
from master.contract.questions import (
    QUESTIONS_MAX,
    QuestionError,
    QuestionKind,
    question_digest,
    sort_questions,
    work_class,
)
from master.contract.reading import to_events
from master.scheduler.jobs import Analyser, JobLease, Part
from master.scheduler.submissions import new_job
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
from tests.master.hand_driven import job_spec
from tests.master.simulator import ENGINE, Character, Fleet, random_character


def test_every_event_is_a_value_of_its_own_type() -> None:
    types = get_args(Event)
    assert len(types) == len(set(types))
    assert all("__slots__" in vars(kind) for kind in types)
    assert Tick() == Tick()


def test_outcomes_are_the_words_of_the_wire() -> None:
    assert [str(outcome) for outcome in Outcome] == ["done", "stopped", "fail"]


def test_larger_priority_goes_first() -> None:
    assert sorted(Priority, reverse=True) == [
        Priority.URGENT,
        Priority.ASKED,
        Priority.NORMAL,
        Priority.BACKGROUND,
    ]


def test_every_command_is_a_value_of_its_own_type_and_no_event() -> None:
    types = get_args(Command)
    assert len(types) == len(set(types))
    assert not set(types) & set(get_args(Event))
    assert all("__slots__" in vars(kind) for kind in types)


def test_words_are_those_of_the_json_output() -> None:
    assert [str(why) for why in StoppedBy] == ["trials", "stop_se", "settled", "halted", "failed"]


OFFERS: dict[str, EngineOffer] = {}


def lease_of(claim: Holding = Holding.HELD) -> JobLease:
    analyser, job = Analyser(1, "attic", 2, OFFERS), new_job(job_spec(trials=10), ())
    return JobLease(Part(1), analyser, job, 0, 5, 0, 0.0, 1.0, key=(1, 1), holding=claim)


def test_every_state_is_in_the_table_and_leads_to_states_of_its_kind() -> None:
    assert {*TRANSITIONS} == {*Life, *Holding}
    assert all(type(state) is type(to) for state, after in TRANSITIONS.items() for to in after)


@pytest.mark.parametrize("steps", [AFTER_STOP, AFTER_RETURN])
def test_steps_are_those_of_the_table_and_lead_to_where_they_cannot_be_taken_again(
    steps: dict[Holding, Holding],
) -> None:
    assert all(to in TRANSITIONS[claim] and to not in steps for claim, to in steps.items())


@pytest.mark.parametrize("claim", Holding)
def test_a_lease_goes_nowhere_but_where_the_table_says(claim: Holding) -> None:
    for to in Holding:
        lease = lease_of(claim)
        if to in TRANSITIONS[claim]:
            lease.move(to)
            assert lease.holding is to
        else:
            with pytest.raises(AssertionError, match="is not followed by"):
                lease.move(to)


def test_what_was_given_back_and_stopped_is_distinguished() -> None:
    reported = {
        claim: (lease_of(claim).is_stopped, lease_of(claim).is_given_back) for claim in Holding
    }
    assert reported == {
        Holding.HELD: (False, False), Holding.STOPPING: (True, False),
        Holding.GIVEN_BACK: (False, True), Holding.GIVEN_UP: (True, True),
    }  # fmt: skip


def test_asking_twice_changes_nothing() -> None:
    for claim in Holding:
        lease = lease_of(claim)
        for _ in range(2):
            lease.stop()
            lease.give_back()
            assert lease.holding is Holding.GIVEN_UP


@pytest.mark.parametrize(
    ("outcome", "code", "asked", "unasked"),
    [
        (Outcome.DONE, "", Ending.DONE, Ending.DONE),
        (Outcome.STOPPED, "", Ending.STOPPED, Ending.LEAVING),
        (Outcome.FAIL, "draining", Ending.LEAVING, Ending.LEAVING),
        (Outcome.FAIL, "line-too-long", Ending.TOO_LONG, Ending.TOO_LONG),
        (Outcome.FAIL, "unknown-game", Ending.OTHER_ENGINE, Ending.OTHER_ENGINE),
        (Outcome.FAIL, "engine-mismatch", Ending.OTHER_ENGINE, Ending.OTHER_ENGINE),
        (Outcome.FAIL, "bad-context", Ending.REFUSED, Ending.REFUSED),
        (Outcome.FAIL, "engine-error", Ending.FAILED, Ending.FAILED),
        (Outcome.FAIL, "a-code-of-tomorrow", Ending.FAILED, Ending.FAILED),
    ],
)
def test_a_final_reply_has_one_meaning(
    outcome: Outcome, code: str, asked: Ending, unasked: Ending
) -> None:
    reply = PartEnded(1, 1, 1, outcome, 0, code)
    assert ending_of(reply, lease_of(Holding.STOPPING)) is asked
    assert ending_of(reply, lease_of(Holding.HELD)) is unasked


@pytest.mark.when_changed
def test_random_fleets_take_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the table allows does happen, and a fleet never needs more."""
    seen: set[tuple[Holding, Holding]] = set()
    move = JobLease.move

    def noted(lease: JobLease, claim: Holding) -> None:
        seen.add((lease.holding, claim))
        move(lease, claim)

    monkeypatch.setattr(JobLease, "move", noted)
    for seed in range(40):
        rng, fleet = random.Random(seed), Fleet(seed)
        fleet.join(Character("survivor", trial_s=0.05))
        for index in range(6):
            fleet.join(random_character(rng, index, end_s=5.0))
        fleet.submit(replace(job_spec(), engine=ENGINE, alternative_count=2, value_count=2))
        fleet.run_job(1)
    assert seen == {(claim, to) for claim in Holding for to in TRANSITIONS[claim]}


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


def test_trials_come_before_the_end_of_their_part() -> None:
    done = Done(part=1, attempt=1, context_digest=DIGEST, count=1)
    assert read(trial(1, 5), done) == [
        TrialsArrived(7, 1, 1, 5, [(2.5,)]),
        PartEnded(7, 1, 1, Outcome.DONE, 1),
    ]


def test_answer_comes_before_the_end_of_its_part() -> None:
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


def test_each_text_is_kept_once_with_its_places() -> None:
    one, other = noop_question(5, 1), noop_question(5, 2)
    known = sort_questions([one, other, one])
    assert known.indexes == {one: [0, 2], other: [1]}
    kind = QuestionKind("noop", "analyse", engine_digest("noop"), "noop-question/1 rounds=5")
    assert known.kinds == {one: kind, other: kind}


def test_question_names_its_service_and_its_engine() -> None:
    text = f"backgammon-moves/1 engine={DIGEST} ply=2 candidates=0,1"
    (kind,) = sort_questions([text]).kinds.values()
    assert kind == QuestionKind("backgammon", "moves", DIGEST, "backgammon-moves/1 ply=2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("othello-search/1 x", "no answer that could be kept"),
        ("", "expected a line"),
        ("noop-question/1\n", "printable ASCII"),
        ("noop-question/1 \xe4", "printable ASCII"),
        ("noop-question/1 " + "x" * CONTEXT_BYTES_MAX, "expected a line of 1 to 8192"),
        ("go/1", "unknown kind"),
        ("noop/1 alternatives=1 rounds=1", "a question was expected"),
    ],
)
def test_what_is_no_question_is_named_by_its_place(text: str, reason: str) -> None:
    with pytest.raises(QuestionError, match=reason) as caught:
        sort_questions([noop_question(), text])
    assert caught.value.index == 1
    assert str(caught.value) == f"question 1: {caught.value.text}"


def test_too_many_questions_are_refused() -> None:
    with pytest.raises(MasterError, match="at most 65536"):
        sort_questions([""] * (QUESTIONS_MAX + 1))


def test_class_of_work_is_the_kind_and_the_depth_only() -> None:
    text = f"backgammon-analyse/1 engine={DIGEST} position_id=4HPw cube_ply=2 dice=31 ply=2"
    assert work_class(text) == "backgammon-analyse/1 ply=2 cube_ply=2"
    assert work_class("noop-question/1") == "noop-question/1"


def test_answers_are_kept_under_the_whole_digest() -> None:
    assert question_digest("x/1 a").hex() == hashlib.sha256(b"x/1 a").hexdigest()
