"""Incoming results, and results that are taken out: exactly those that must be."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.commands import (
    AttemptConfirmed,
    AttemptOpened,
    Command,
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StoppedBy,
    StoreTrials,
    Unsuited,
    Withdrawn,
    WithdrawTrials,
)
from master.contract.events import (
    AnalyserReady,
    AnswerArrived,
    EngineOffer,
    Event,
    JobSpec,
    Outcome,
    PartEnded,
    TrialsArrived,
    Verdict,
)
from master.contract.goals import Goal
from master.scheduler import Scheduler, SchedulerOptions
from master.scheduler.job_trials import NOBODY
from master.scheduler.jobs import Analyser, Dispute, Job, JobLease, Part, open_lease
from master.scheduler.paces import Pace
from master.scheduler.state import SchedulerState
from master.scheduler.submissions import new_job
from master.scheduler.withdrawals import (
    announce_opened,
    confirm,
    discard,
    open_attempt,
    withdraw_all,
)
from tests.master.hand_driven import ENGINE, REST_S, Driver, job_spec, value_of


def test_results_are_stored_as_they_come_and_folded_in_order() -> None:
    driver = Driver(window=2, part_trials=2)
    driver.submit(job_spec(4))
    first, second = driver.ready(1, workers=2)
    driver.finish(second)
    assert driver.scheduler.fold(1).folded == 0
    assert driver.scheduler.jobs()[0].held == 2
    driver.finish(first)
    assert driver.scheduler.fold(1).folded == 4
    stores = driver.all(StoreTrials)
    assert [(store.first_seq, len(store.values)) for store in stores] == [(2, 2), (0, 2)]
    assert driver.said[-1] == JobEnded(1, StoppedBy.TRIALS) or driver.all(JobEnded)


def test_job_ends_after_its_last_results_are_to_be_stored() -> None:
    driver = Driver(window=1, part_trials=2)
    driver.submit(job_spec(2))
    (part,) = driver.ready(1)
    commands = driver.send(part)
    assert [type(command) for command in commands][:2] == [AttemptOpened, StoreTrials]
    driver.end(part)
    assert JobEnded(1, StoppedBy.TRIALS) in driver.last


def test_result_sent_twice_is_stored_once() -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send(part, 2)
    driver.send(part, 2)
    driver.send(part)
    stores = driver.all(StoreTrials)
    assert [(store.first_seq, len(store.values)) for store in stores] == [(0, 2), (2, 1)]
    assert driver.scheduler.duplicate_count == 4


def test_result_of_a_part_that_is_gone_is_dropped_and_counted() -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit()
    (part,) = driver.ready(1)
    driver.finish(part)
    assert driver.send(part) == []
    driver.end(part)
    assert driver.send_values(HandOut(99, 1, 1, 1, 0, 1, ""), 0, value_of(0)) == []
    assert driver.scheduler.dropped_count == 5


@pytest.mark.parametrize("values", [(0.1,), (1.0, 2.0), (float("nan"),)])
def test_value_that_no_trial_can_have_ends_the_trust(values: tuple[float, ...]) -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send_values(part, 0, values)
    (quarantine,) = driver.all(Quarantine)
    assert (quarantine.analyser, quarantine.code) == (1, "bad-value")
    assert driver.scheduler.analysers() == []
    assert [part.first_seq for part in driver.ready(2)] == [0]


def test_trial_outside_the_part_ends_the_trust() -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send_values(part, 2, value_of(2), value_of(3))
    assert [(q.analyser, q.code) for q in driver.all(Quarantine)] == [(1, "bad-result")]
    assert driver.scheduler.fold(1).held_count == 0


def test_done_with_trials_missing_ends_the_trust() -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send(part, 1)
    driver.end(part)
    assert [(q.analyser, q.code) for q in driver.all(Quarantine)] == [(1, "bad-result")]
    assert driver.all(WithdrawTrials) == [WithdrawTrials(1, ((0, 1),))]
    assert [part.first_seq for part in driver.ready(2)] == [0]


def test_analyser_that_stops_unasked_gets_nothing_more() -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit()
    (part,) = driver.ready(1)
    assert driver.end(part, Outcome.STOPPED) == []
    assert driver.scheduler.analysers()[0].state == "draining"
    assert [part.first_seq for part in driver.ready(2)] == [0]


@pytest.mark.parametrize("code", ["engine-mismatch", "unknown-game"])
def test_analyser_that_cannot_play_the_game_after_all_loses_the_job(code: str) -> None:
    driver = Driver(window=2, part_trials=3)
    driver.submit()
    part, _ = driver.ready(1)
    assert driver.end(part, Outcome.FAIL, code, "no") == []
    assert len(driver.all(Unsuited)) == 1
    assert [part.first_seq for part in driver.ready(2)] == [0, 3]


def refused_by(count: int) -> Driver:
    """Return a driver whose job's context some analysers have called bad, one more is there."""
    driver = Driver(window=1)
    driver.submit()
    parts = [part for number in range(count) for part in driver.ready(number + 1)]
    for part in parts:
        driver.end(part, Outcome.FAIL, "bad-context", "what is this")
    return driver


@pytest.mark.parametrize("count", [1, 2])
def test_context_nobody_can_read_is_tried_here_and_fails_the_job(count: int) -> None:
    driver = refused_by(count)
    assert not driver.all(JobEnded)
    driver.judge(Verdict.FAILED, "bad-context: expected a noop context")
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED
    assert "expected a noop context" in ended.text


@pytest.mark.parametrize("count", [1, 2])
def test_context_that_can_be_read_here_is_good_whatever_strangers_say(count: int) -> None:
    driver = refused_by(count)
    driver.judge(Verdict.COMPUTED)
    (part,) = driver.ready(7)
    driver.end(part, Outcome.FAIL, "bad-context", "what is this")
    assert len(driver.all(JudgeHere)) == 1
    driver.wait(REST_S)
    left = driver.ready(8)
    while left:
        left += driver.finish(left.pop(0))
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_context_that_two_call_bad_fails_the_job_where_it_cannot_be_tried() -> None:
    driver = refused_by(2)
    driver.judge(Verdict.UNKNOWN, "there is no such engine here")
    (ended,) = driver.all(JobEnded)
    assert "what is this" in ended.text


def test_trial_that_an_engine_fails_at_three_times_is_repeated_here() -> None:
    driver = Driver(window=1, part_trials=4)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send(part, 2)
    (again,) = driver.end(part, Outcome.FAIL, "engine-error", "boom")
    assert (again.first_seq, again.count) == (0, 2)
    (part,) = driver.finish(again)
    failed = 1
    while not driver.all(JudgeHere):
        if part.first_seq == 2:
            failed += 1
            handed = driver.end(part, Outcome.FAIL, "engine-error", "boom")
        else:
            handed = driver.finish(part)
            driver.now += REST_S / 2
        (part,) = handed
    assert failed == 3
    driver.judge(Verdict.FAILED, "engine-error: boom")
    kinds = [incident.kind for incident in driver.all(Incident)]
    assert kinds == [
        *[IncidentKind.PART_FAILED] * 3, IncidentKind.JUDGED_HERE, IncidentKind.TRIAL_BURIED
    ]  # fmt: skip
    assert "trial 2 of job 1" in driver.all(JobEnded)[0].text


def test_same_failure_on_three_hosts_fails_the_job_where_it_cannot_be_repeated() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit()
    for analyser in (1, 2, 3):
        (part,) = driver.ready(analyser, host=f"host{analyser}")
        while part.first_seq:
            (part,) = driver.finish(part)
        driver.end(part, Outcome.FAIL, "engine-error", "boom")
        driver.now += REST_S
    driver.judge(Verdict.UNKNOWN, "there is no such engine here")
    assert driver.all(JobEnded)[0].stopped_by is StoppedBy.FAILED


def test_refusal_of_a_draining_analyser_is_no_failure() -> None:
    driver = Driver(window=1, part_trials=4)
    driver.submit()
    (part,) = driver.ready(1)
    driver.end(part, Outcome.FAIL, "draining")
    assert not driver.all(Incident)
    assert [part.first_seq for part in driver.ready(2)] == [0]


def test_only_steps_that_grow_are_a_sign_of_life() -> None:
    driver = Driver(window=1, part_trials=4)
    driver.submit()
    (part,) = driver.ready(1)
    driver.wait(1.0)
    lease = next(iter(driver.scheduler._state.analysers[1].leases.values()))
    before = lease.moved_at
    driver.progress(part, 0)
    assert lease.moved_at == before
    driver.progress(part, 5)
    assert lease.moved_at == driver.now
    driver.progress(HandOut(1, 77, 1, 1, 0, 1, ""), 5)


def fault_of(question: str, answer: str) -> str:
    """Take every answer for one that is no nonsense."""
    return "it makes no sense" if answer == "nonsense" else ""


def test_answer_that_cannot_be_is_asked_elsewhere_and_counts_against_its_analyser_alone() -> None:
    driver = Driver()
    driver.scheduler = Scheduler(SchedulerOptions(answer_fault=fault_of))
    questions = ("q0", "q1")
    driver.submit(
        JobSpec(-1, "", "noop", ENGINE, 1, 1, Goal(2), questions=questions, service="analyse")
    )
    offer = EngineOffer("noop", ENGINE, 1.0, ("trials", "analyse"))
    for number in range(1, 9):  # far more than a question may be died of
        driver.do(AnalyserReady(number, f"a{number}", 1, (offer,)))
        part = driver.latest(HandOut)[0]
        driver.do(AnswerArrived(number, part.part, part.attempt, "nonsense"))
        driver.end(part)
        (quarantine,) = driver.latest(Quarantine)
        text = f"a{number}: question {part.first_seq}: it makes no sense"
        assert (quarantine.analyser, quarantine.text) == (number, text)
        (incident,) = driver.latest(Incident)
        assert (incident.kind, incident.text) == (IncidentKind.BAD_VALUE, text)
    driver.do(AnalyserReady(9, "a9", 1, (offer,)))
    handed = driver.latest(HandOut)
    while handed:
        part = handed.pop(0)
        driver.do(AnswerArrived(9, part.part, part.attempt, f"of {part.context}"))
        handed += driver.end(part)
    assert driver.scheduler.answers(-1).answers() == ["of q0", "of q1"]
    assert [ended.stopped_by for ended in driver.all(JobEnded)] == [StoppedBy.TRIALS]


TRIALS = 40
NAMES = {1: "liar", 2: "honest", 3: "liar", 4: "zealous"}  # sessions: an analyser has several
SEEDS = st.integers(0, 10**6)


class Scene:
    """A job whose trials were partly answered, by several sessions and by the store."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.state = SchedulerState(SchedulerOptions())
        self.job = self.new_job(1)
        self.analysers = {number: Analyser(number, name, 1, {}) for number, name in NAMES.items()}
        for number in NAMES:
            self.job.paces[number] = Pace(1.0, 0.0)
        self.job.names.update(NAMES)

    def new_job(self, number: int) -> Job:
        spec = JobSpec(number, "x/1", "x", "e", 1, 1, Goal(TRIALS))
        job = new_job(spec, ())
        job.grant_fresh(TRIALS)
        self.state.jobs[number] = job
        return job

    def answer(self, job: Job, seq: int, source: int) -> None:
        job.fold.add(seq, value_of(seq))
        if source != NOBODY:
            job.record_source(source, seq, seq + 1)

    def answer_any(self, job: Job) -> None:
        for seq in range(TRIALS):
            source = self.rng.choice([None, NOBODY, *NAMES])
            if source is not None:
                self.answer(job, seq, source)

    def lease(self, analyser: int, first: int, end: int) -> JobLease:
        part, pace = Part(7), self.job.paces[analyser]
        return open_lease(part, self.analysers[analyser], self.job, pace, first, end, now=0.0)


def known(job: Job) -> dict[int, int]:
    """Return whose the known results of a job are."""
    return {seq: job.source(seq) for seq in range(TRIALS) if job.fold.has(seq)}


def waiting(job: Job) -> set[int]:
    return {seq for piece in job.pieces for seq in range(piece.first, piece.end)}


def taken_out(out: list[Command], job: int = 1) -> list[int]:
    return [
        seq
        for command in out
        if isinstance(command, WithdrawTrials) and command.job == job
        for first, end in command.ranges
        for seq in range(first, end)
    ]


@given(SEEDS)
def test_all_of_an_analyser_that_is_not_trusted_goes_whatever_its_session(seed: int) -> None:
    scene = Scene(seed)
    scene.answer_any(scene.job)
    before = known(scene.job)
    bad = sorted(seq for seq, source in before.items() if NAMES.get(source) == "liar")
    withdraw_all(scene.state, "liar", "why")
    assert taken_out(scene.state.out) == bad
    assert known(scene.job) == {seq: who for seq, who in before.items() if seq not in bad}
    assert waiting(scene.job) == set(bad)
    assert scene.state.out[-1] == Withdrawn(1, "liar", len(bad), "why")
    assert scene.state.is_feeding_due is bool(bad)


@given(SEEDS)
def test_ranges_that_are_taken_out_do_not_touch_each_other(seed: int) -> None:
    scene = Scene(seed)
    scene.answer_any(scene.job)
    withdraw_all(scene.state, "liar", "why")
    for command in scene.state.out:
        if isinstance(command, WithdrawTrials):
            ends = [end for _, end in command.ranges]
            firsts = [first for first, _ in command.ranges[1:]]
            assert all(end < first for end, first in zip(ends, firsts, strict=False))
            assert all(first < end for first, end in command.ranges)


def test_jobs_that_have_ended_or_never_met_the_analyser_keep_all() -> None:
    scene = Scene(1)
    ended, stranger = scene.new_job(2), scene.new_job(3)
    for job in (scene.job, ended, stranger):
        scene.answer(job, 0, 1)
    ended.names.update(NAMES)
    ended.is_ended = True
    stranger.names[2] = "honest"
    withdraw_all(scene.state, "liar", "why")
    assert [command.job for command in scene.state.out if isinstance(command, Withdrawn)] == [1]
    assert known(ended) == known(stranger) == {0: 1}


def test_disputes_that_the_analyser_is_part_of_are_dropped() -> None:
    scene = Scene(1)
    names = frozenset(NAMES.values())
    said = value_of(0)
    for seq, (first, second) in enumerate([(1, 2), (2, 3), (2, NOBODY)]):
        scene.answer(scene.job, seq, first)
        scene.job.disputes[seq] = Dispute(seq, said, first, said, second, names)
    withdraw_all(scene.state, "liar", "why")
    assert list(scene.job.disputes) == [2]


@given(SEEDS)
def test_attempt_that_did_not_end_rightly_loses_what_it_sent_and_nothing_else(seed: int) -> None:
    scene = Scene(seed)
    scene.answer_any(scene.job)
    first = scene.rng.randrange(TRIALS - 1)
    lease = scene.lease(1, first, scene.rng.randrange(first + 1, TRIALS))
    open_attempt(scene.state, lease)
    lease.sent = scene.rng.randrange(lease.first, lease.end + 1)
    before = known(scene.job)
    bad = [seq for seq in range(lease.first, lease.sent) if before.get(seq) == 1]
    discard(scene.state, lease)
    assert taken_out(scene.state.out) == bad
    assert known(scene.job) == {seq: who for seq, who in before.items() if seq not in bad}
    assert waiting(scene.job) == set(bad)
    assert not scene.job.unconfirmed
    assert not scene.state.opened


def test_attempt_that_gave_nothing_or_was_confirmed_has_nothing_to_lose() -> None:
    scene = Scene(1)
    silent, ended = scene.lease(1, 0, 4), scene.lease(1, 4, 8)
    for seq in range(8):
        scene.answer(scene.job, seq, 1)
    open_attempt(scene.state, ended)
    ended.sent = 8
    confirm(scene.state, ended)
    for lease in (silent, ended):
        discard(scene.state, lease)
    assert scene.state.out == []
    assert len(known(scene.job)) == 8


def test_results_of_a_job_that_has_ended_stay_as_marked_in_the_store() -> None:
    scene = Scene(1)
    lease = scene.lease(1, 0, 4)
    scene.answer(scene.job, 0, 1)
    open_attempt(scene.state, lease)
    lease.sent = 1
    scene.job.is_ended = True
    discard(scene.state, lease)
    announce_opened(scene.state)
    assert scene.state.out == [AttemptOpened(1, 7, 1, 0, 4)]
    assert known(scene.job) == {0: 1}
    assert not scene.job.unconfirmed


def test_attempt_is_announced_before_its_results_and_confirmed_once() -> None:
    scene = Scene(1)
    lease = scene.lease(1, 3, 9)
    stored = StoreTrials(1, 1, 3, [value_of(3)])
    scene.state.out.append(stored)
    open_attempt(scene.state, lease)
    open_attempt(scene.state, lease)
    announce_opened(scene.state)
    assert scene.state.out == [AttemptOpened(1, 7, 1, 3, 9), stored]
    scene.state.out.clear()
    announce_opened(scene.state)
    assert scene.state.out == []
    confirm(scene.state, lease)
    confirm(scene.state, lease)
    assert scene.state.out == [AttemptConfirmed(1, 7, 1)]


def test_attempt_that_begins_and_ends_in_one_turn_is_not_marked() -> None:
    driver = Driver(window=1, part_trials=3)
    driver.submit(job_spec(9))
    (part,) = driver.ready(1)
    key = (1, part.part, part.attempt)
    values = [value_of(seq) for seq in range(3)]
    both: list[Event] = [TrialsArrived(*key, 0, values), PartEnded(*key, Outcome.DONE, 3)]
    said = driver.scheduler.handle_all(both, 0.0)
    marks = [each for each in said if isinstance(each, AttemptOpened | AttemptConfirmed)]
    assert marks == []
    assert not driver.scheduler._state.jobs[1].unconfirmed


def test_lost_results_are_handed_out_again_and_the_job_ends_with_the_right_ones() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    driver.send(part, 3)
    driver.lose(1)
    assert taken_out(driver.last) == [0, 1, 2]
    left = driver.ready(2)
    while left:
        left += driver.finish(left.pop(0)) or driver.rest()
    handed = [each for each in driver.all(HandOut) if each.analyser == 2]
    assert sorted(seq for h in handed for seq in range(h.first_seq, h.first_seq + h.count)) == [
        0, 1, 2, 3, 4,
    ]  # fmt: skip
    fold = driver.scheduler.fold(1)
    assert [fold.values_at(seq) for seq in range(5)] == [value_of(seq) for seq in range(5)]


def test_nothing_is_concluded_from_results_whose_attempt_has_not_ended() -> None:
    driver = Driver(window=1, part_trials=4)
    driver.submit(job_spec(4))
    (part,) = driver.ready(1)
    driver.send(part)
    assert not driver.scheduler._state.jobs[1].is_ended
    driver.end(part)
    assert driver.scheduler._state.jobs[1].is_ended
