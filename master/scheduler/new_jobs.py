"""The beginning of a job: with nothing, or with the results it has."""

from collections.abc import Sequence

from master.contract.events import JobSpec, TrialValues
from master.fold.answers import AnswerFold
from master.fold.stop_rule import StopRule
from master.fold.trials import SEQ_MAX, TrialFold
from master.scheduler.job_kinds import QuestionJob, TrialJob
from master.scheduler.jobs import Job
from master.scheduler.limits import LEAD_TRIALS_MIN


def new_job(spec: JobSpec, known: Sequence[tuple[int, TrialValues]]) -> Job:
    """Return a job with the results it has; missing ones before the last are handed out first."""
    goals = (spec.trials, spec.stop_se, spec.stop_settled)
    assert any(goal is not None for goal in goals), "a job needs an end"
    if spec.questions is not None:
        return _new_question_job(spec, len(spec.questions))
    fold = TrialFold(
        spec.alternative_count, spec.value_count, spec.ranking_value, spec.value_ranges
    )
    target = SEQ_MAX if spec.trials is None else spec.trials * spec.alternative_count
    rule = StopRule(spec.trials, spec.stop_se, spec.stop_settled, spec.value_caps)
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
    assert (spec.trials, spec.alternative_count) == (count, 1), "a question is asked once"
    return QuestionJob(spec, AnswerFold(count), StopRule(count, None), count, lead=count)


def _find_gaps(job: Job, end: int) -> None:
    first = job.fold.folded
    while first < end:
        after = first
        while after < end and not job.fold.has(after):
            after += 1
        if after > first:
            job.requeue(first, after, None)
        first = after + 1
