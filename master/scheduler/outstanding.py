"""The outstanding attempts, each counted in one place.

A lease is in the tables of its part, of its job and of its analyser, and its missing trials in the
sums of its job and of its analyser's pace.  All of these change here, and nowhere else.
"""

from itertools import islice

from master.contract.job_words import Priority
from master.scheduler.jobs import Analyser, Job, JobLease, Part, TrialJob
from master.scheduler.limits import LATE_FACTOR, LATE_SLACK_S, LATE_UNKNOWN_S
from master.scheduler.paces import Pace

_BACKGROUND, _STATUS = Priority.BACKGROUND, Priority.STANDING


def open_lease(
    part: Part, analyser: Analyser, job: Job, pace: Pace, first: int, end: int, now: float
) -> JobLease:
    """Return the next attempt of a part: trials first .. end - 1 of a job, at an analyser."""
    part.attempts += 1
    job.leased += end - first
    pace.leased += end - first
    if pace.rate > 0.0:
        due_at = now + LATE_SLACK_S + LATE_FACTOR * pace.leased / pace.rate
    else:
        due_at = now + LATE_UNKNOWN_S
    lease = JobLease(part, part.attempts, analyser, job, first, end, first, now, due_at)
    lease.is_first = not analyser.leases
    if job.priority > _STATUS or analyser.held[_BACKGROUND]:
        lease.is_urgent = analyser.is_urgent_for(job.priority)
    part.leases.append(lease)
    job.add(lease)
    if not isinstance(job, TrialJob):
        running = analyser.urgent_count if lease.is_urgent else len(analyser.leases)
        lease.begun_at = now if running < analyser.workers else None
    analyser.add(lease)
    return lease


def close_lease(lease: JobLease, now: float) -> None:
    """Take a lease off all tables; its missing trials do not count as outstanding any more.

    Where questions wait, the next one begins.
    """
    analyser = lease.analyser
    analyser.remove(lease)
    if not isinstance(lease.job, TrialJob):
        begin_waiting(analyser, now)
    lease.part.leases.remove(lease)
    del lease.job.leases[lease]
    if lease.next < lease.end:
        missing = lease.next
        advance(lease, lease.end)
        lease.next = missing


def begin_waiting(analyser: Analyser, now: float) -> None:
    """Note that waiting questions are begun where a worker is free."""
    for other in islice(analyser.in_order(), analyser.workers):
        if other.begun_at is None and not isinstance(other.job, TrialJob):
            other.begun_at = now


def advance(lease: JobLease, to: int) -> None:
    """Note that the results of a lease before trial `to` are known."""
    count = to - lease.next
    lease.next = to
    job = lease.job
    job.leased -= count
    pace = job.paces.get(lease.analyser.number)
    if pace is not None:
        pace.leased -= count


def catch_up(lease: JobLease) -> None:
    """Note results of a lease's trials that others have delivered."""
    has, to = lease.job.fold.has, lease.next
    while to < lease.end and has(to):
        to += 1
    advance(lease, to)
