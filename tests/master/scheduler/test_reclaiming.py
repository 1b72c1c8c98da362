import pytest

from master.contract.commands import (
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoppedBy,
    StoreTrials,
    WithdrawTrials,
)
from master.contract.events import AnalyserLost, JobHalted, Judged, Outcome, Verdict
from master.scheduler.job_trials import NOBODY
from master.scheduler.limits import UNJUDGED_DEATHS_MAX
from tests.master.hand_driven import REST_S, Driver, job_spec, value_of


def test_trials_of_the_parts_of_a_lost_analyser_go_to_the_front() -> None:
    driver = Driver(window=3, part_trials=5)
    driver.submit()
    first, second, _ = driver.ready(1)
    driver.ready(2)
    driver.send(first, 2)
    driver.lose(1, is_orderly=True)
    assert driver.all(WithdrawTrials) == [WithdrawTrials(1, ((0, 2),))]
    handed = driver.ready(3)
    assert [(part.first_seq, part.count) for part in handed] == [(0, 2), (2, 3), (5, 5)]
    assert [(part.part, part.attempt) for part in handed][1:] == [(first.part, 2), (second.part, 2)]


def lose_three_at_a_trial() -> Driver:
    """Return a driver whose trial 3 was lost with three analysers, one after another."""
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send(part, 3)
    driver.lose(1)
    driver.now += REST_S
    (before,) = driver.ready(2)
    assert (before.first_seq, before.count) == (0, 3)
    (part,) = driver.finish(before)
    for analyser in (2, 3):
        if analyser == 3:
            driver.now += REST_S
            (other,) = driver.ready(3)
            (part,) = driver.finish(other)
        assert (part.first_seq, part.count) == (3, 1)
        assert not driver.all(JudgeHere)
        driver.lose(analyser)
    return driver


def test_trial_that_is_lost_with_three_is_tried_alone_and_then_repeated_here() -> None:
    driver = lose_three_at_a_trial()
    (asked,) = driver.all(JudgeHere)
    assert (asked.job, asked.seq, asked.context) == (1, 3, "noop/1 job=1")
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.JUDGED_HERE]
    assert not driver.all(JobEnded)


def test_trial_that_fails_here_too_is_buried_by_name() -> None:
    driver = lose_three_at_a_trial()
    driver.judge(Verdict.FAILED, "the child was ended by SIGSEGV")
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED
    assert ended.text == (
        "trial 3 of job 1 is given up: the child was ended by SIGSEGV (a1, a2, a3)"
    )
    assert driver.ready(4) == []


def test_trial_that_is_computed_here_counts_and_its_job_goes_on() -> None:
    driver = lose_three_at_a_trial()
    driver.judge(Verdict.COMPUTED)
    assert StoreTrials(1, NOBODY, 3, [value_of(3)]) in driver.last
    assert not driver.all(JobEnded)
    left = driver.ready(4)
    while left:
        left += driver.finish(left.pop(0))
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]
    fold = driver.scheduler.fold(1)
    assert [fold.values_at(seq) for seq in range(100)] == [value_of(seq) for seq in range(100)]


def test_value_that_is_wrong_here_too_buries_the_trial() -> None:
    driver = lose_three_at_a_trial()
    driver.do(Judged(1, 3, Verdict.COMPUTED, (float("nan"),)))
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED


def test_trial_that_cannot_be_repeated_here_is_handed_out_until_much_speaks_against_it() -> None:
    driver = lose_three_at_a_trial()
    judged = 0
    for analyser in range(4, 4 + UNJUDGED_DEATHS_MAX):
        while len(driver.all(JudgeHere)) > judged:
            asked = driver.all(JudgeHere)[judged]
            driver.do(Judged(asked.job, asked.seq, Verdict.UNKNOWN, text="no such engine"))
            judged += 1
        if driver.all(JobEnded):
            break
        driver.now += REST_S
        (part,) = driver.ready(analyser)
        while part.first_seq != 3:
            (part,) = driver.finish(part)
        driver.lose(analyser)
    assert analyser == UNJUDGED_DEATHS_MAX + 1
    assert driver.all(JobEnded)[0].stopped_by is StoppedBy.FAILED


def test_verdict_of_a_job_that_is_gone_is_dropped() -> None:
    driver = lose_three_at_a_trial()
    driver.do(JobHalted(1))
    assert driver.judge(Verdict.COMPUTED) == []
    driver.scheduler.forget(1)
    assert driver.judge(Verdict.FAILED) == []


def test_mass_disconnect_is_one_loss_however_many_connections_are_dead() -> None:
    driver = Driver(window=1, part_trials=1)
    for analyser in range(1, 41):
        driver.ready(analyser)
    driver.submit()
    for analyser in range(1, 41):
        driver.lose(analyser)
    suspicions = driver.scheduler._state.jobs[1].suspicions
    assert {len(each.names) for each in suspicions.values()} == {1}
    assert [part.first_seq for part in driver.all(HandOut)].count(0) == 1


@pytest.mark.parametrize("breach", ["bad value", "bad part", "protocol"])
def test_broken_rules_never_count_against_a_trial(breach: str) -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    for analyser in range(1, 20):
        (part,) = driver.ready(analyser, f"renamed{analyser}")
        assert part.first_seq == 0
        if breach == "bad value":
            driver.send_values(part, 0, (float("nan"),))
        elif breach == "bad part":
            driver.send_values(part, 99, value_of(99))
        else:
            driver.do(AnalyserLost(analyser, "bad-result: no", breach="bad-result"))
        driver.wait(REST_S)
    assert len(driver.all(Quarantine)) == 19
    assert not driver.all(JudgeHere)
    assert not driver.all(JobEnded)


def test_orderly_leaving_is_nobodys_death() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    for analyser in range(1, 9):
        (part,) = driver.ready(analyser)
        assert (part.first_seq, part.count) == (0, 5)
        driver.lose(analyser, is_orderly=True)
    assert not driver.all(JobEnded)


def test_parts_that_only_waited_are_not_blamed() -> None:
    driver = Driver(window=3, part_trials=5)
    driver.submit()
    driver.ready(1, workers=2)
    driver.lose(1)
    assert sorted(driver.scheduler._state.jobs[1].suspicions) == [0, 5]


def test_trial_that_is_computed_after_all_clears_its_deaths() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit()
    driver.ready(1)
    driver.lose(1)
    driver.now += REST_S
    (other,) = driver.ready(2)
    (again,) = driver.finish(other)
    assert list(driver.scheduler._state.jobs[1].suspicions) == [again.first_seq]
    driver.finish(again)
    assert driver.scheduler._state.jobs[1].suspicions == {}


def test_end_of_a_job_stops_what_is_still_out() -> None:
    driver = Driver(window=2, part_trials=1)
    driver.submit(job_spec(None, stop_se=100.0))
    parts = driver.ready(1)
    while not driver.all(JobEnded):
        parts += driver.finish(parts.pop(0))
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.STOP_SE)]
    stopped = [(stop.part, stop.attempt) for stop in driver.all(StopPart)]
    assert stopped == [(part.part, part.attempt) for part in parts][: len(stopped)]
    for part in parts:
        driver.end(part, Outcome.STOPPED)
    assert driver.scheduler.analysers()[0].parts == 0
    assert driver.scheduler.next_deadline is None


def test_twin_still_at_work_keeps_a_lost_part_from_going_back() -> None:
    driver = Driver(window=1, part_trials=10)
    driver.submit(job_spec(10))
    (slow,) = driver.ready(1)
    driver.ready(2)
    driver.wait(12.0)
    (twin,) = [part for part in driver.all(HandOut) if part.analyser == 2]
    assert (twin.part, twin.attempt) == (slow.part, 2)
    driver.lose(1, is_orderly=True)
    assert driver.ready(3) == []
    driver.finish(twin)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]
