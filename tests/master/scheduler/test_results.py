import pytest

from master.contract.commands import (
    AttemptOpened,
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StoppedBy,
    StoreTrials,
    Unsuited,
    WithdrawTrials,
)
from master.contract.events import (
    AnalyserReady,
    AnswerArrived,
    EngineOffer,
    JobSpec,
    Outcome,
    Verdict,
)
from master.scheduler import Scheduler, SchedulerOptions
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
    driver.submit(JobSpec(-1, "", "noop", ENGINE, 1, 1, 2, questions=questions, service="analyse"))
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
