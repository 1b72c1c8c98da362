"""Views of jobs from their records; a list of stored jobs needs no fold, no loop and no message."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine_ext.contexts import ContextError
from engine_ext.services import is_whole_search
from master.contract.job_words import JobState
from master.contract.search_views import SearchView
from master.contract.views import JobView
from master.store.records import JobRecord
from master.store.store import Store

if TYPE_CHECKING:
    from master.fold.trials import TrialFold
    from master.store.unconfirmed import Withdrawal


def to_view(
    record: JobRecord, fold: TrialFold | None, trials_per_s: float = 0.0, is_summed: bool = True
) -> JobView:
    """Return a job's view; without a fold, as far as its record shows.

    `is_summed` asks for the alternatives' statistics.
    """
    request = record.request
    summary = fold.summary(has_quantiles=True) if fold is not None and is_summed else None
    folded = record.end.folded if fold is None else fold.folded
    return JobView(
        job=record.job,
        context=request.context,
        digest=request.digest,
        game=request.game,
        engine=request.engine,
        alternative_names=request.alternative_names,
        value_names=request.value_names,
        label=request.label,
        created=record.created,
        state=record.state,
        stopped_by=record.end.stopped_by,
        error=record.end.error,
        folded=folded,
        held=0 if fold is None else fold.held_count,
        trials_per_s=trials_per_s,
        eta_s=_eta_s(record, folded, 0 if fold is None else fold.retired_count, trials_per_s),
        alternatives=() if summary is None else summary.alternatives,
        caught=tuple(map(caught_line, record.withdrawals)),
        priority=record.priority,
        **asdict(request.goal),
    )


def is_search(record: JobRecord) -> bool:
    """Whether a job is a search, and not one of trials; False if its game is gone."""
    try:
        return is_whole_search(record.request.context)
    except ContextError:
        return False


def to_search_view(record: JobRecord, search: SearchView) -> JobView:
    """Return the view of a job that is a search."""
    return replace(to_view(record, None), search=search)


def caught_line(withdrawal: Withdrawal) -> str:
    """Return the cost to a job of an analyser that is trusted no more, as one line."""
    count = withdrawal.trial_count
    cost = f"{count} trials of it were computed again" if count else "nothing of it counted"
    return f"{withdrawal.text}; {cost}"


def _eta_s(record: JobRecord, folded: int, retired: int, trials_per_s: float) -> float | None:
    trials, count = record.request.goal.trials, len(record.request.alternative_names)
    if record.state is not JobState.RUNNING or trials is None or trials_per_s <= 0:
        return None
    left = (trials * count - folded) * (count - retired) / count
    return max(0.0, left / trials_per_s)


def stored_search_view(store: Store, record: JobRecord) -> JobView:
    """Return the view of a search that does not run. Blocks."""
    stored = store.search(record.job)
    shown = SearchView(nodes=stored.nodes, seconds=stored.seconds, answer=stored.answer)
    return to_search_view(record, shown)


def listed_view(store: Store, record: JobRecord) -> JobView:
    """Return the view of a job that does not run here, without statistics. Blocks.

    The record of a job that did not end by itself has no count of its trials: they are counted.
    """
    if is_search(record):
        return stored_search_view(store, record)
    if record.state in (JobState.HALTED, JobState.RUNNING):
        is_settled = record.request.goal.stop_settled is not None  # trials not needed are no gap
        folded = _settled_prefix(store, record) if is_settled else store.stored_prefix(record)
        record = replace(record, end=replace(record.end, folded=folded))
    return to_view(record, None)


def _settled_prefix(store: Store, record: JobRecord) -> int:
    from master.service.stored_folds import settled_prefix  # noqa: PLC0415  # loads the folds

    return settled_prefix(store, record)


def stored_jobs(state_dir: Path) -> list[JobView]:
    """Return the jobs of a state directory, oldest first; raises StoreError. Blocks."""
    store = Store(state_dir, is_read_only=True)
    try:
        return listed_views(store)
    finally:
        store.close()


def listed_views(store: Store) -> list[JobView]:
    """Return all jobs of a store, oldest first. Blocks."""
    return [listed_view(store, record) for record in store.jobs()]
