"""Jobs that begin, are halted, extended, and put behind others."""

import pytest

from master.contract.commands import HandOut, JobEnded, StopPart, StoppedBy, StoreTrials
from master.contract.events import JobExtended, JobHalted, JobPrioritised, Outcome
from master.contract.job_words import Priority
from master.scheduler.job_trials import NOBODY
from master.scheduler.jobs import Job
from master.scheduler.submissions import new_job
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


def two_jobs(window: int = 2) -> Driver:
    """Return a driver whose one analyser is at the older of two jobs, and then has the newer."""
    driver = Driver(window=window, part_trials=5)
    driver.submit(job_spec(100, job=1))
    driver.ready(1)
    return driver


def test_job_in_the_background_makes_room_at_once() -> None:
    driver = two_jobs()
    assert [part.job for part in driver.all(HandOut)] == [1, 1]
    assert driver.submit(job_spec(10, job=2)) == [], "the window is full"
    driver.do(JobPrioritised(1, Priority.BACKGROUND))
    assert [(part.job, part.is_urgent) for part in driver.latest(HandOut)] == [(2, True)] * 2
    first, second, *newer = driver.all(HandOut)
    assert driver.finish(first) == driver.finish(second) == []
    handed = [part.job for part in newer for part in driver.finish(part)]
    assert handed == [1, 1]


def test_job_that_comes_back_goes_by_its_age_again() -> None:
    driver = two_jobs()
    driver.submit(job_spec(100, job=2))
    driver.do(JobPrioritised(2, Priority.BACKGROUND))
    assert [part.job for part in driver.finish(driver.all(HandOut)[0])] == [1]
    driver.do(JobPrioritised(2, Priority.NORMAL))
    assert driver.latest(HandOut) == []
    (newest,) = driver.finish(driver.all(HandOut)[1])
    assert (newest.job, newest.is_urgent) == (2, False)


@pytest.mark.parametrize(
    "event", [JobPrioritised(1, Priority.NORMAL), JobPrioritised(77, Priority.BACKGROUND)]
)
def test_priority_of_before_and_of_nothing_changes_nothing(event: JobPrioritised) -> None:
    driver = two_jobs()
    assert driver.do(event) == []


def test_priority_of_an_ended_job_changes_nothing() -> None:
    driver = Driver(window=1, part_trials=2)
    driver.submit(job_spec(2))
    driver.finish(driver.ready(1)[0])
    assert driver.do(JobPrioritised(1, Priority.BACKGROUND)) == []


def test_nobody_waits_for_the_end_of_trials() -> None:
    with pytest.raises(AssertionError, match="nobody waits"):
        two_jobs().do(JobPrioritised(1, Priority.ASKED))


def pieces(job: Job) -> list[tuple[int, int]]:
    return [(piece.first, piece.end) for piece in job.pieces]


def test_job_without_an_end_is_a_mistake() -> None:
    with pytest.raises(AssertionError, match="end"):
        new_job(job_spec(None), ())


def test_known_results_are_folded_and_their_gaps_come_first() -> None:
    job = new_job(job_spec(20), [(seq, value_of(seq)) for seq in (0, 1, 4, 5, 9)])
    assert (job.fold.folded, job.next_seq) == (2, 10)
    assert pieces(job) == [(2, 4), (6, 9)]
    assert job.source(0) == NOBODY


def test_everything_known_is_a_job_at_its_end() -> None:
    job = new_job(job_spec(5), [(seq, value_of(seq)) for seq in range(5)])
    assert job.verdict(waits_for_disputes=True) is StoppedBy.TRIALS
    assert not job.has_work()


def test_results_beyond_the_end_are_neither_folded_nor_missed() -> None:
    job = new_job(job_spec(5), [(seq, value_of(seq)) for seq in (0, 1, 9)])
    assert job.next_seq == 5
    assert pieces(job) == [(2, 5)]
