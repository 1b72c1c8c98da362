"""Users' requests: jobs begun with the results they have, halted, extended, put behind others."""

from collections.abc import Sequence

from master.contract.events import (
    JobExtended,
    JobHalted,
    JobPrioritised,
    JobSpec,
    JobSubmitted,
    TrialValues,
)
from master.contract.goals import NO_GOAL
from master.contract.job_words import Priority
from master.fold.answers import AnswerFold
from master.fold.stop_rule import StopRule
from master.fold.trials import SEQ_MAX, TrialFold
from master.scheduler.dispatch import fill, new_pace
from master.scheduler.jobs import Job, QuestionJob, TrialJob
from master.scheduler.limits import EVERYBODY_MAX, HALT_WAIT_S, LEAD_TRIALS_MIN
from master.scheduler.paces import lead
from master.scheduler.question_timing import refresh_paces
from master.scheduler.reclaiming import end_halted, stop
from master.scheduler.results import conclude
from master.scheduler.state import SchedulerState


def new_job(spec: JobSpec, known: Sequence[tuple[int, TrialValues]]) -> Job:
    """Return a job with the results it has; missing ones before the last are handed out first."""
    assert spec.goal != NO_GOAL, "a job needs an end"
    if spec.questions is not None:
        return _new_question_job(spec, len(spec.questions))
    fold = TrialFold(
        spec.alternative_count, spec.value_count, spec.ranking_value, spec.value_ranges
    )
    target = SEQ_MAX if spec.goal.trials is None else spec.goal.trials * spec.alternative_count
    rule = StopRule(spec.goal, spec.value_caps)
    job = TrialJob(spec, fold, rule, target, lead=LEAD_TRIALS_MIN)
    fold.limit = job.next_limit(0)
    for seq, values in known:
        fold.add(seq, values)
    end = min(fold.known_end, max(target, fold.folded))
    job.grant_fresh(end)
    _find_gaps(job, end)
    return job


def _new_question_job(spec: JobSpec, count: int) -> QuestionJob:
    """Return a job of questions; all of them may be handed out at once."""
    assert (spec.goal.trials, spec.alternative_count) == (count, 1), "a question is asked once"
    return QuestionJob(spec, AnswerFold(count), StopRule(spec.goal), count, lead=count)


def _find_gaps(job: Job, end: int) -> None:
    first = job.fold.folded
    while first < end:
        after = first
        while after < end and not job.fold.has(after):
            after += 1
        if after > first:
            job.requeue(first, after, None)
        first = after + 1


def job_submitted(state: SchedulerState, event: JobSubmitted) -> None:
    """Start a job, or go on with one from its stored results."""
    number = event.spec.job
    old = state.jobs.get(number)
    assert old is None or old.is_ended, f"job {number} is running"
    job = new_job(event.spec, event.known)
    state.jobs[number] = job
    state.active.append(job)
    state.active.sort(key=lambda job: job.rank)
    if isinstance(job, TrialJob):
        workers = sum(analyser.workers for analyser in state.analysers.values())
        options = state.options
        job.set_lead(lead(0.0, (options.window or 2) * (options.part_trials or 1) * workers))
    conclude(state, job)
    if job.is_ended:
        return
    if isinstance(job, QuestionJob):
        tick_at = state.tick_at
        state.set_tick()
        state.tick_at = min(tick_at, state.tick_at)
        _size_up(state, job)
    # The fastest of a large fleet take all parts before every analyser was offered some.
    is_large = len(job.paces) > EVERYBODY_MAX and isinstance(job, QuestionJob)
    for number in list(job.paces.by_rate if is_large else state.analysers):
        if not job.has_work():
            return
        fill(state, state.analysers[number])


def _size_up(state: SchedulerState, job: QuestionJob) -> None:
    """Compare all analysers before the first is asked: a question goes to the best of them."""
    if job.kind:
        job.paces = state.shared_paces(job.kind)
    known = len(job.paces)
    for number, analyser in state.analysers.items():
        if analyser.is_taking and number not in job.paces:
            new_pace(state, job, analyser)
    if len(job.paces) > known:
        refresh_paces(state, job)


def job_halted(state: SchedulerState, event: JobHalted) -> None:
    """Stop a job's parts; its end is announced when their last results are in."""
    job = state.jobs.get(event.job)
    if job is None or job.is_ended or job.halt_until is not None:
        return
    job.halt_until = state.now + HALT_WAIT_S
    for lease in job.by_trial():
        stop(state, lease)
    end_halted(state, job)


def job_extended(state: SchedulerState, event: JobExtended) -> None:
    """Give a running job more trials."""
    job = state.jobs.get(event.job)
    if job is None or job.is_ended:
        return
    job.extend(event.trials)
    state.is_feeding_due = True


def job_prioritised(state: SchedulerState, event: JobPrioritised) -> None:
    """Put a running job of trials behind others, or back where it was; its parts go on.

    Parts at its analysers count at its new place at once, so that there is room for parts that go
    before it now.
    """
    assert event.priority <= Priority.NORMAL, "nobody waits for the end of trials"
    job = state.jobs.get(event.job)
    if not isinstance(job, TrialJob) or job.is_ended or job.priority is event.priority:
        return
    for lease in job.leases:
        lease.analyser.reprioritise(lease, event.priority)
    job.priority, job.was_moved = event.priority, True
    state.active.sort(key=lambda job: job.rank)
    for analyser in list(state.analysers.values()):
        fill(state, analyser)
