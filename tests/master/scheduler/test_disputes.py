from master.commands import (
    CorrectTrial,
    HandOut,
    Incident,
    IncidentKind,
    JobEnded,
    Quarantine,
    StoppedBy,
)
from tests.master.hand_driven import Driver, job_spec, value_of

WRONG = (99.0,)


def twins(trials: int = 10) -> tuple[Driver, HandOut, HandOut]:
    """Return a driver with one part at two analysers."""
    driver = Driver(window=1, part_trials=trials)
    driver.submit(job_spec(trials))
    (one,) = driver.ready(1)
    driver.ready(2)
    driver.wait(12.0)
    (other,) = [part for part in driver.all(HandOut) if part.analyser == 2]
    return driver, one, other


def kinds(driver: Driver) -> list[IncidentKind]:
    return [incident.kind for incident in driver.all(Incident)]


def test_late_twin_with_equal_values_changes_nothing() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send(other, 3)
    assert kinds(driver) == []
    assert driver.scheduler.duplicate_count == 3


def test_third_analyser_settles_for_the_first_result() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, value_of(0), WRONG)
    assert kinds(driver) == [IncidentKind.TWIN_MISMATCH]
    (referee,) = driver.ready(3)
    assert (referee.first_seq, referee.count) == (1, 1)
    driver.finish(referee)
    assert kinds(driver)[1:] == [IncidentKind.MISMATCH_SETTLED]
    assert [quarantine.analyser for quarantine in driver.all(Quarantine)] == [2]
    assert not driver.all(CorrectTrial)


def test_third_analyser_settles_for_the_late_result_and_the_fold_is_corrected() -> None:
    driver, one, other = twins()
    driver.send_values(one, 0, value_of(0), WRONG, value_of(2))
    driver.send(other, 3)
    (referee,) = driver.ready(3)
    driver.finish(referee)
    assert driver.all(CorrectTrial) == [CorrectTrial(1, 2, 1, value_of(1))]
    assert [quarantine.analyser for quarantine in driver.all(Quarantine)] == [1]
    assert driver.scheduler.fold(1).values_at(1) == value_of(1)
    driver.send(other, skip=3)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_three_different_results_fail_the_job() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    (referee,) = driver.ready(3)
    driver.send_values(referee, 0, (98.0,))
    (ended,) = driver.all(JobEnded)
    assert ended.stopped_by is StoppedBy.FAILED
    assert "trial 0" in ended.text


def test_job_waits_for_a_third_that_is_there() -> None:
    driver, one, other = twins()
    driver.send(one, 9)
    driver.send_values(other, 0, WRONG)
    (referee,) = driver.ready(3)
    driver.send(one, skip=9)
    assert not driver.all(JobEnded)
    driver.finish(referee)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_job_ends_without_a_third_when_there_is_none() -> None:
    driver, one, other = twins()
    driver.send(one, 9)
    driver.send_values(other, 0, WRONG)
    driver.send(one, skip=9)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]


def test_third_that_is_lost_is_replaced() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    driver.ready(3)
    driver.lose(3)
    (again,) = driver.ready(4)
    assert (again.first_seq, again.count) == (0, 1)


def test_analyser_of_the_same_name_is_no_third() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    assert driver.ready(3, "a1") == []


def test_third_that_stands_still_is_replaced() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    driver.ready(3)
    driver.wait(30.0)
    driver.progress(one, 1)
    driver.wait(31.0)
    (again,) = driver.ready(4)
    assert (again.first_seq, again.count) == (0, 1)


def test_third_with_an_impossible_value_is_no_judge() -> None:
    driver, one, other = twins()
    driver.send(one, 3)
    driver.send_values(other, 0, WRONG)
    (referee,) = driver.ready(3)
    driver.send_values(referee, 0, (0.1,))
    assert [quarantine.code for quarantine in driver.all(Quarantine)] == ["bad-value"]
    assert not driver.all(JobEnded)
    assert [part.first_seq for part in driver.ready(4)] == [0]
