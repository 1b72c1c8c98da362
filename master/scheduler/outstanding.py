"""What is outstanding: each handing-out, counted in one place.

A lease stands in the tables of its part, of its job and of its analyser, and its missing trials in
the sums of its job and of its analyser's pace.  All of these change here, and nowhere else.
"""

from master.scheduler.jobs import Analyser, Job, Lease, Part
from master.scheduler.limits import LATE_FACTOR, LATE_SLACK_S, LATE_UNKNOWN_S
from master.scheduler.paces import Pace


def open_lease(
    part: Part, analyser: Analyser, job: Job, pace: Pace, first: int, end: int, now: float
) -> Lease:
    """Return the next attempt of a part: trials first .. end - 1 of a job, at an analyser."""
    part.attempts += 1
    _add_missing(job, pace, end - first)
    if pace.rate > 0.0:
        due_at = now + LATE_SLACK_S + LATE_FACTOR * pace.leased / pace.rate
    else:
        due_at = now + LATE_UNKNOWN_S
    lease = Lease(part, part.attempts, analyser, job, first, end, first, now, due_at)
    lease.is_first = not analyser.leases
    lease.is_urgent = analyser.is_urgent_for(job.priority)
    part.leases.append(lease)
    job.add(lease)
    analyser.add(lease, now)
    return lease


def close_lease(lease: Lease, now: float) -> None:
    """Take a lease off all tables."""
    job = lease.job
    lease.analyser.remove(lease, now)
    lease.part.leases.remove(lease)
    del job.leases[lease]
    if lease.next < lease.end:
        _add_missing(job, job.paces.get(lease.analyser.number), lease.next - lease.end)


def advance(lease: Lease, to: int) -> None:
    """Note that the results of a lease before trial `to` are known."""
    job = lease.job
    _add_missing(job, job.paces.get(lease.analyser.number), lease.next - to)
    lease.next = to


def catch_up(lease: Lease) -> None:
    """Note results of a lease's trials that others have delivered."""
    has, to = lease.job.fold.has, lease.next
    while to < lease.end and has(to):
        to += 1
    advance(lease, to)


def _add_missing(job: Job, pace: Pace | None, count: int) -> None:
    job.leased += count
    if pace is not None:
        pace.leased += count
