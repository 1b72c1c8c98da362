from master.contract.commands import HandOut, Incident, IncidentKind, JobEnded, StopPart
from master.scheduler.limits import STALL_S_MAX, STALL_S_MIN
from tests.master.hand_driven import REST_S, Driver, job_spec


def paced(driver: Driver, job: int = 1, **rates: float) -> None:
    """Set observed rates by analysers' names."""
    state = driver.scheduler._state
    for number, pace in state.jobs[job].paces.items():
        pace.rate, pace.is_observed = rates[state.analysers[number].name], True


def test_late_head_is_handed_to_an_idle_analyser_as_well() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(10))
    (head,) = driver.ready(1)
    (other,) = driver.ready(2)
    driver.finish(other)
    driver.send(head, 2)
    driver.wait(12.0)
    twin = driver.all(HandOut)[-1]
    assert (twin.analyser, twin.part, twin.attempt) == (2, head.part, 2)
    assert (twin.first_seq, twin.count) == (2, 3)
    driver.send(twin)
    assert (1, head.part, 1) in [(s.analyser, s.part, s.attempt) for s in driver.all(StopPart)]
    driver.end(twin)
    assert not driver.all(JobEnded), "two of the results have no right end yet"
    driver.wait(0.5)
    again = driver.all(HandOut)[-1]
    assert (again.analyser, again.first_seq, again.count) == (2, 0, 2)
    driver.finish(again)
    assert driver.all(JobEnded)


def test_fastest_idle_analyser_helps() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (head,) = driver.ready(1)
    for number in (2, 3, 4):
        driver.ready(number)
    paced(driver, a1=1.0, a2=2.0, a3=8.0, a4=4.0)
    driver.wait(1.0)
    twins = [part for part in driver.all(HandOut) if part.attempt == 2]
    assert [(twin.analyser, twin.part) for twin in twins] == [(3, head.part)]


def test_part_is_never_at_more_than_two_at_a_time() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    for number in range(1, 6):
        driver.ready(number)
    driver.wait(50.0)
    assert len(driver.all(HandOut)) == 2


def test_slower_analyser_does_not_help() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    driver.ready(2)
    paced(driver, a1=4.0, a2=4.0)
    driver.wait(1.0)
    assert len(driver.all(HandOut)) == 1


def test_part_that_stands_still_goes_elsewhere_and_its_analyser_gets_nothing() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(20))
    driver.ready(1)
    paced(driver, a1=10.0)
    driver.wait(STALL_S_MIN + 1.0)
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.STALLED]
    assert driver.scheduler.analysers()[0].state == "suspect"
    driver.wait(REST_S)
    (again,) = driver.ready(2)
    assert (again.first_seq, again.count) == (0, 1)


def test_progress_keeps_a_slow_part_where_it_is() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    paced(driver, a1=10.0)
    for steps in range(1, 60):
        driver.wait(1.0)
        driver.progress(part, steps)
    assert not driver.all(Incident)


def test_part_is_stalled_after_a_minute_when_nothing_is_known() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    driver.ready(1)
    driver.wait(STALL_S_MAX - 1.0)
    assert not driver.all(Incident)
    driver.wait(2.0)
    assert [i.kind for i in driver.all(Incident)] == [IncidentKind.STALLED]


def test_suspect_that_moves_again_is_trusted_again_and_its_results_count() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(20))
    (part,) = driver.ready(1)
    paced(driver, a1=10.0)
    driver.wait(STALL_S_MIN + 1.0)
    driver.send(part)
    assert driver.scheduler.fold(1).folded == 5
    assert driver.scheduler.analysers()[0].state == "ready"
    assert [part.first_seq for part in driver.end(part)] == [5]


def test_parts_that_wait_in_a_queue_are_not_stalled() -> None:
    driver = Driver(window=2, part_trials=5)
    driver.submit(job_spec(20))
    first, _ = driver.ready(1)
    paced(driver, a1=10.0)
    for steps in range(1, 30):
        driver.wait(1.0)
        driver.progress(first, steps)
    assert not driver.all(Incident)


def test_nothing_is_due_without_work() -> None:
    driver = Driver()
    driver.ready(1)
    assert driver.scheduler.next_deadline is None
    driver.submit(job_spec(1))
    assert driver.scheduler.next_deadline is not None


def test_part_that_stops_and_goes_counts_as_one_death() -> None:
    driver = Driver(window=1, part_trials=5)
    driver.submit(job_spec(5))
    (part,) = driver.ready(1)
    for steps in range(1, 6):
        driver.wait(STALL_S_MAX + 1.0)
        driver.progress(part, steps)
    assert len(driver.all(Incident)) == 5
    assert driver.scheduler._state.jobs[1].suspects(0) == ["a1"]
    driver.finish(part)
    assert driver.all(JobEnded)
