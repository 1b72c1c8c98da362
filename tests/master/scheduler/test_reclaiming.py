from master.contract.commands import (
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    StopPart,
    StoppedBy,
    WithdrawTrials,
)
from master.contract.events import Outcome
from tests.master.hand_driven import Driver, job_spec


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


def test_poison_trial_is_tried_alone_and_buried_by_name_after_three_deaths() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit()
    (part,) = driver.ready(1)
    driver.send(part, 3)
    driver.lose(1)
    (before,) = driver.ready(2)
    assert (before.first_seq, before.count) == (0, 3)
    (part,) = driver.finish(before)
    for analyser in (2, 3):
        (part,) = driver.ready(3) if analyser == 3 else [part]
        assert (part.first_seq, part.count) == (3, 1)
        driver.lose(analyser)
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED
    assert "trial 3 of job 1" in ended.text
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.TRIAL_BURIED]
    assert driver.ready(4) == []


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
    assert sorted(driver.scheduler._state.jobs[1].deaths) == [0, 5]


def test_trial_that_is_computed_after_all_clears_its_deaths() -> None:
    driver = Driver(window=1, part_trials=1)
    driver.submit()
    driver.ready(1)
    driver.lose(1)
    (again,) = driver.ready(2)
    driver.finish(again)
    assert driver.scheduler._state.jobs[1].deaths == {}


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
