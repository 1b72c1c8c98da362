"""The parts that wait for further analysers: the number by which a fleet grows and shrinks.

After each event every analyser that may hold more was handed it.  So parts that could be handed out
and were not wait for a further analyser; parts at analysers, computed or prefetched, do not.
"""

from math import ceil

from master.scheduler import sizing
from master.scheduler.job_kinds import QuestionJob
from master.scheduler.jobs import Job
from master.scheduler.state import SchedulerState


def parts_waiting(state: SchedulerState) -> int:
    """Return how many parts could be handed to further analysers now.

    For each active job: its trials that may be handed out and that no analyser has, in parts that
    one worker of its fleet plays in about a second, rounded up; each question, and each dispute
    without a referee, is a part.  A part has one trial while no analyser's rate is known.

    Returns:
        0 exactly when a further analyser that is idle, fast, and suits every job would be handed
        only parts that others have as well.
    """
    return sum(_waiting(state, job) for job in state.active if job.halt_until is None)


def _waiting(state: SchedulerState, job: Job) -> int:
    disputes = sum(dispute.referee is None for dispute in job.disputes.values())
    return ceil(_open_count(job) / _part_trials(state, job)) + disputes


def _open_count(job: Job) -> int:
    """Return how many trials or questions may be handed out now and are not outstanding."""
    has, horizon = job.fold.has, job.fold.folded + job.lead
    fresh = range(job.next_seq, job.next_seq + max(0, job.room))
    # Of questions any may be known from elsewhere; trials never handed out are not, or not needed.
    is_parted = isinstance(job, QuestionJob) or job.staying
    count = sum(not has(seq) for seq in fresh) if is_parted else len(fresh)
    for piece in job.pieces:
        count += sum(not has(seq) for seq in range(piece.first, min(piece.end, horizon)))
    return count


def _part_trials(state: SchedulerState, job: Job) -> int:
    """Return how many trials a part has for one worker such as the job's are by now."""
    if isinstance(job, QuestionJob):
        return 1
    here = (state.analysers[number] for number in job.paces)
    workers = sum(a.workers for a in here if a.away_until is None and not a.is_suspect)
    rate = job.paces.fleet_rate / workers if workers else 0.0
    return state.options.part_trials or sizing.part_trials(rate, 1)
