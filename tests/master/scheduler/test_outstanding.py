"""What is outstanding is counted right, whatever is handed out, known and taken off, and when."""

import itertools
import random

import pytest

from master.contract.events import JobSpec
from master.contract.job_words import Priority
from master.scheduler.jobs import Analyser, Job, JobLease, Part
from master.scheduler.limits import LATE_UNKNOWN_S
from master.scheduler.outstanding import advance, catch_up, close_lease, open_lease
from master.scheduler.paces import Pace
from master.scheduler.submissions import new_job

NUMBERS = itertools.count(1)


def job_of(number: int, priority: Priority = Priority.STANDING) -> Job:
    return new_job(JobSpec(number, "x/1", "x", "e", 1, 1, trials=500, priority=priority), ())


def analyser_of(number: int, job: Job) -> Analyser:
    job.paces[number] = Pace(1.0, 0.0, rate=float(number - 1))
    return Analyser(number, f"a{number}", 2, {})


def handed(
    job: Job, analyser: Analyser, first: int, end: int, part: Part | None = None
) -> JobLease:
    pace = job.paces[analyser.number]
    return open_lease(part or Part(next(NUMBERS)), analyser, job, pace, first, end, now=5.0)


@pytest.mark.parametrize("seed", range(40))
def test_sums_are_those_of_the_leases(seed: int) -> None:
    rng = random.Random(seed)
    jobs = [job_of(1), job_of(2, rng.choice(list(Priority)))]
    analysers = [analyser_of(number, jobs[0]) for number in (1, 2, 3)]
    jobs[1].paces = jobs[0].paces
    leases: list[JobLease] = []
    for step in range(60):
        kind = rng.choice(["open", "open", "twin", "advance", "known", "close", "gone"])
        if kind == "open" or not leases:
            first = rng.randrange(400)
            lease = handed(rng.choice(jobs), rng.choice(analysers), first, first + 1 + step % 7)
            leases.append(lease)
        elif kind == "twin":
            of = rng.choice(leases)
            other = rng.choice(analysers)
            leases.append(handed(of.job, other, of.next, of.end, of.part))
        elif kind == "advance":
            lease = rng.choice(leases)
            advance(lease, rng.randint(lease.next, lease.end))
        elif kind == "known":
            lease = rng.choice(leases)
            if lease.next < lease.end and not lease.job.fold.has(lease.next):
                lease.job.fold.add(lease.next, (0.5,))
            catch_up(lease)
            assert lease.next == lease.end or not lease.job.fold.has(lease.next)
        elif kind == "gone" and step > 50:
            jobs[0].paces.leave(2)
            analysers = [analyser for analyser in analysers if analyser.number != 2]
        else:
            close_lease(leases.pop(rng.randrange(len(leases))), now=6.0)
        check(jobs, analysers, leases)


def check(jobs: list[Job], analysers: list[Analyser], leases: list[JobLease]) -> None:
    for job in jobs:
        mine = [lease for lease in leases if lease.job is job]
        assert list(job.leases) == sorted(mine, key=leases.index)
        assert job.leased == sum(lease.end - lease.next for lease in mine)
    for analyser in analysers:
        held = [lease for lease in leases if lease.analyser is analyser]
        assert analyser.leases == {lease.key: lease for lease in held}
        missing = sum(lease.end - lease.next for lease in held)
        assert jobs[0].paces[analyser.number].leased == missing
        assert sum(analyser.held) == len(held)
        assert analyser.urgent_count == sum(lease.is_urgent for lease in held)
    for lease in leases:
        assert lease in lease.part.leases


def test_attempts_of_a_part_are_counted_up_and_its_first_one_at_an_idle_analyser_is_marked() -> (
    None
):
    job = job_of(1)
    one, other = analyser_of(1, job), analyser_of(2, job)
    first = handed(job, one, 0, 4)
    again = handed(job, other, 0, 4, first.part)
    behind = handed(job, one, 4, 8)
    assert (first.attempt, again.attempt, behind.attempt) == (1, 2, 1)
    assert (first.is_first, again.is_first, behind.is_first) == (True, True, False)
    assert first.due_at == 5.0 + LATE_UNKNOWN_S  # nothing is known of its rate
    assert again.due_at < first.due_at


def test_what_is_urgent_goes_before_what_was_there() -> None:
    status, urgent = job_of(1), job_of(2, Priority.URGENT)
    analyser = analyser_of(1, status)
    urgent.paces = status.paces
    before = handed(status, analyser, 0, 4)
    lease = handed(urgent, analyser, 0, 1)
    assert (before.is_urgent, lease.is_urgent, before.was_paused) == (False, True, True)
    assert list(analyser.in_order()) == [lease, before]
