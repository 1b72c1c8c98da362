"""Results that do not count: of attempts that never ended rightly, and of analysers not trusted.

A result has one source: the analyser that gave it first, or the one that gave it again, the same,
and so confirmed it. It counts as soon as it comes, but not for the stop rules: they use only
attempts that have ended rightly. So nothing is ever concluded from a result that is taken out
later, unless its analyser breaks a rule after the attempt. Then all results of the analyser are
taken out, and the rules are applied again from there on.
"""

from collections.abc import Iterator

from master.contract.commands import (
    AttemptConfirmed,
    AttemptOpened,
    Command,
    Withdrawn,
    WithdrawTrials,
)
from master.scheduler.jobs import Job, JobLease, TrialJob
from master.scheduler.state import SchedulerState

Ranges = list[tuple[int, int]]


def open_attempt(state: SchedulerState, lease: JobLease) -> None:
    """Note that an attempt has given results, which count once it has ended rightly."""
    lease.job.unconfirmed[lease] = None
    state.opened[lease] = None


def announce_opened(state: SchedulerState) -> None:
    """Announce attempts that were opened by the events at hand and not ended by them.

    The command comes before their results, so stored results are marked from the first.
    """
    announced: list[Command] = []
    for lease in state.opened:
        job, part = lease.job.number, lease.part.number
        announced.append(AttemptOpened(job, part, lease.attempt, lease.first, lease.end))
        lease.is_announced = True
    state.out[:0] = announced
    state.opened.clear()


def confirm(state: SchedulerState, lease: JobLease) -> None:
    """Let the results of an attempt count: it has ended rightly."""
    job = lease.job
    if lease in job.unconfirmed:
        del job.unconfirmed[lease]
        state.opened.pop(lease, None)
        if lease.is_announced:
            part = lease.part.number
            state.out.append(AttemptConfirmed(job.number, part, lease.attempt))


def discard(state: SchedulerState, lease: JobLease) -> None:
    """Take out the results of an attempt that has not ended rightly; others compute them again.

    Of a job that has ended they stay where they are, marked as unconfirmed in the store: they are
    behind its last trial, and are dropped when the job goes on.
    """
    job = lease.job
    if lease not in job.unconfirmed:
        return
    del job.unconfirmed[lease]
    if not job.is_ended:
        state.opened.pop(lease, None)
        source = lease.analyser.number
        ranges = list(_ranges(job, frozenset({source}), lease.first, lease.sent))
        _withdraw_ranges(state, job, ranges)


def withdraw_all(state: SchedulerState, name: str, why: str) -> None:
    """Take out of every job that goes on all results of an analyser that no other confirmed."""
    for job in state.jobs.values():
        sources = frozenset(number for number, known in job.names.items() if known == name)
        if job.is_ended or not sources:
            continue
        for seq, dispute in list(job.disputes.items()):
            if dispute.known_by in sources or dispute.claimed_by in sources:
                del job.disputes[seq]
        ranges = list(_ranges(job, sources, 0, len(job.sources)))
        _withdraw_ranges(state, job, ranges)
        count = sum(end - first for first, end in ranges)
        state.out.append(Withdrawn(job.number, name, count, why))


def _ranges(job: Job, sources: frozenset[int], first: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of known results, trials first .. end - 1, that come from these sources."""
    has, start = job.fold.has, -1
    marks = {source + 1 for source in sources}
    for seq in range(first, end):
        if job.sources[seq] in marks and has(seq):
            start = seq if start < 0 else start
        elif start >= 0:
            yield start, seq
            start = -1
    if start >= 0:
        yield start, end


def _withdraw_ranges(state: SchedulerState, job: Job, ranges: Ranges) -> None:
    if not ranges:
        return
    job.withdraw(ranges)
    if isinstance(job, TrialJob):
        state.out.append(WithdrawTrials(job.number, tuple(ranges)))
    state.is_feeding_due = True
