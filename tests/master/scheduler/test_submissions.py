import pytest

from master.contract.commands import HandOut, JobEnded, StopPart, StoppedBy, StoreTrials
from master.contract.events import JobExtended, JobHalted, Outcome
from tests.master.hand_driven import Driver, job_spec, value_of


def test_resumed_job_hands_out_only_what_is_missing() -> None:
    driver = Driver(window=9, part_trials=3)
    driver.ready(1)
    handed = driver.submit(job_spec(12), tuple((seq, value_of(seq)) for seq in (0, 1, 4, 6)))
    ranges = [(part.first_seq, part.count) for part in handed]
    assert ranges == [(2, 2), (5, 1), (7, 3), (10, 2)]
    for part in handed:
        driver.finish(part)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]
    straight = Driver(window=1, part_trials=12)
    straight.submit(job_spec(12))
    straight.finish(straight.ready(1)[0])
    assert driver.scheduler.fold(1).summary() == straight.scheduler.fold(1).summary()


def test_job_whose_results_are_all_known_ends_at_once() -> None:
    driver = Driver()
    driver.submit(job_spec(2), ((1, value_of(1)), (0, value_of(0))))
    assert driver.said == [JobEnded(1, StoppedBy.TRIALS)]


def test_running_job_is_not_submitted_again() -> None:
    driver = Driver()
    driver.submit()
    with pytest.raises(AssertionError, match="running"):
        driver.submit()


def test_halted_job_keeps_what_still_comes_and_then_ends() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    first, second = driver.ready(1)
    driver.do(JobHalted(1))
    assert [stop.part for stop in driver.latest(StopPart)] == [first.part, second.part]
    driver.send(first, 2)
    assert driver.latest(StoreTrials)
    assert driver.end(first, Outcome.STOPPED) == []
    assert not driver.all(JobEnded)
    driver.end(second, Outcome.STOPPED)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.HALTED)]
    assert driver.scheduler.fold(1).folded == 2


def test_halted_job_does_not_wait_for_ever() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit()
    first, _ = driver.ready(1)
    driver.do(JobHalted(1))
    driver.wait(6.0)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.HALTED)]
    assert driver.send(first) == []
    driver.do(JobHalted(1))
    driver.do(JobHalted(77))


def test_halted_job_nobody_works_on_ends_at_once() -> None:
    driver = Driver()
    driver.submit()
    driver.do(JobHalted(1))
    assert driver.said == [JobEnded(1, StoppedBy.HALTED)]
    assert driver.ready(1) == []


def test_extended_job_goes_on() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    driver.do(JobExtended(1, 8))
    (more,) = driver.finish(part)
    assert (more.first_seq, more.count) == (5, 3)
    driver.finish(more)
    assert driver.all(JobEnded) == [JobEnded(1, StoppedBy.TRIALS)]
    driver.do(JobExtended(1, 9))
    assert driver.last == []


def test_extension_feeds_idle_analysers() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    assert driver.ready(2) == []
    driver.do(JobExtended(1, 8))
    assert [part.analyser for part in driver.latest(HandOut)] == [2]


def test_ended_job_is_extended_by_submitting_it_with_its_results() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    driver.finish(part)
    known = tuple(driver.scheduler.fold(1).results())
    (more,) = driver.submit(job_spec(8), known)
    assert (more.first_seq, more.count) == (5, 3)
