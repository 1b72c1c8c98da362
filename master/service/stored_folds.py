"""Folds of stored trials: the bits that running a job gave."""

from engine_ext.contexts import ContextError
from engine_ext.services import value_caps
from master.contract.commands import StoppedBy
from master.contract.job_words import JobState
from master.fold.stop_rule import StopRule
from master.fold.trials import SEQ_MAX, TrialFold
from master.store.errors import DamagedError
from master.store.records import JobRecord, NewJob
from master.store.runs import DamagedRun
from master.store.store import Store

FAILED = str(StoppedBy.FAILED)
"""Also `stopped_by` of a job of which not everything could be stored."""

DONE_WORDS = (StoppedBy.TRIALS, StoppedBy.STOP_SE, StoppedBy.SETTLED)
"""`stopped_by` of jobs of trials that are done."""


def stored_fold(store: Store, record: JobRecord) -> TrialFold:
    """Return the fold of everything stored of a job: the bits that running it gave.

    It starts from the last snapshot; by the fold's law that gives the same bits as starting from
    the first trial. One of an older version has less than the trials have, if they are whole.

    Raises:
        StoreError: trials that it needs are damaged.
    """
    fold = _new_fold(record.request)
    snapshot = store.snapshot(record.job)
    if snapshot is not None:
        kept = TrialFold.restore(snapshot[1])
        is_damaged = not kept.is_counted and _add_stored(store, record, fold)
        if kept.is_counted or is_damaged or fold.folded < kept.folded:
            fold = kept
    has_damage = _add_stored(store, record, fold)
    _check_whole(store, record, fold, has_damage)
    return fold


def _add_stored(store: Store, record: JobRecord, fold: TrialFold) -> bool:
    """Add stored trials behind a fold's prefix; return whether some of them are damaged."""
    is_done, is_settled = record.end.stopped_by in DONE_WORDS, record.request.goal.stop_settled
    if is_done and not is_settled:
        fold.limit = record.end.folded
    damaged: list[DamagedRun] = []
    for run in store.trial_runs(record.job, fold.folded, damaged.append):
        for seq, values in enumerate(run.values, run.first_seq):
            fold.add(seq, values)
    if is_settled:
        _fold_by_rule(record.request, fold, record.end.folded if is_done else SEQ_MAX)
    return bool(damaged)


def rule_of(request: NewJob) -> StopRule:
    """Return by which rule a job ends, and its alternatives get no more trials."""
    return StopRule(request.goal, value_caps_of(request.context))


def prefix_end(record: JobRecord) -> int:
    """Return the trial from which on a job's stored trials do not count."""
    return record.end.folded if record.end.stopped_by in DONE_WORDS else SEQ_MAX


def _fold_by_rule(request: NewJob, fold: TrialFold, end: int) -> None:
    """Let a prefix grow to the end as it grew: at each limit, beaten alternatives retire."""
    rule = rule_of(request)
    while fold.limit <= fold.folded < end:
        fold.retire(rule.beaten(fold.summary()))
        check = rule.next_check(fold.rounds)
        limit = end if check is None else min(end, check * fold.alternative_count)
        if limit <= fold.folded:
            return  # it has all trials, and was stopped before that was noted
        fold.raise_limit(limit)


def _check_whole(store: Store, record: JobRecord, fold: TrialFold, has_damage: bool) -> None:
    """Refuse to show a job that lost trials, unless a snapshot holds all of it."""
    is_short = fold.folded < record.end.folded and record.end.stopped_by != FAILED
    if is_short or (has_damage and record.state is not JobState.DONE):
        raise DamagedError(
            store.path,
            f"trials of job {record.job} are damaged or missing from {fold.folded} on; "
            f"`manyply resume {record.job}` computes them again",
        )


def settled_prefix(store: Store, record: JobRecord) -> int:
    """Return how far a job has come of which alternatives may have retired."""
    fold = _new_fold(record.request)
    _add_stored(store, record, fold)
    return fold.folded


def _new_fold(request: NewJob) -> TrialFold:
    """Return the fold of no trials; its first limit is the rule's first check."""
    fold = TrialFold(len(request.alternative_names), len(request.value_names))
    if request.goal.stop_settled is not None:
        fold.limit = 0
    return fold


def value_caps_of(context: str) -> tuple[float | None, ...]:
    """Return the most a context's alternatives are worth; none for an invalid context."""
    try:
        return value_caps(context)
    except ContextError:
        return ()
