"""Stored jobs: their views, how they begin and how they end."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from engine_ext.contexts import ContextError, ValueRanges
from engine_ext.services import value_ranges
from master.contract.commands import JobEnded, StoppedBy
from master.contract.errors import MasterError
from master.contract.events import JobSpec, TrialValues
from master.contract.job_words import JobState
from master.contract.views import JobView, Notice
from master.service.job_requests import extended_goal
from master.service.listed_jobs import is_search, listed_views, stored_search_view, to_view
from master.service.stored_folds import DONE_WORDS, FAILED, stored_fold, value_caps_of
from master.store.errors import DamagedError
from master.store.records import INTERRUPTED, JobEnd, JobRecord, RunsIn
from master.store.runs import DamagedRun
from master.store.store import Store

DRAINED = "drained"
"""`stopped_by` of a job that a daemon halted to end itself; the next daemon goes on with it."""

HALTED = str(StoppedBy.HALTED)
ANSWERED = "answered"
"""`stopped_by` of a search that has its answer."""

NOTICES_MAX = 200
"""A watcher that comes late sees the last ones; a flood fills no memory."""


class NoticeBoard:
    """The last notices, each with a serial number, so that each watcher reads each once."""

    def __init__(self, on_put: Callable[[Notice], None] | None = None) -> None:
        """Start empty; `on_put` is called for each notice as it comes."""
        self._on_put = on_put
        self._notices: deque[Notice] = deque(maxlen=NOTICES_MAX)
        self.count = 0

    def put(self, notice: Notice) -> None:
        """Add a notice."""
        self._notices.append(notice)
        self.count += 1
        if self._on_put is not None:
            self._on_put(notice)

    def since(self, count: int) -> tuple[Notice, ...]:
        """Return the notices, of those still here, that came after the first `count`."""
        new_count = min(self.count - count, len(self._notices))
        return tuple(self._notices)[len(self._notices) - new_count :]


def to_spec(record: JobRecord, ranges: ValueRanges) -> JobSpec:
    """Return the scheduler's spec of a job whose values have these ranges."""
    request = record.request
    return JobSpec(
        job=record.job,
        context=request.context,
        game=request.game,
        engine=request.engine,
        alternative_count=len(request.alternative_names),
        value_count=len(request.value_names),
        goal=request.goal,
        value_ranges=ranges,
        priority=record.priority,
        value_caps=value_caps_of(request.context),
    )


def daemon_jobs(store: Store) -> list[int]:
    """Return the jobs that a daemon was running when it ended; the next one goes on with them."""
    return [
        record.job
        for record in store.jobs()
        if record.state is JobState.HALTED
        and record.runs_in is RunsIn.DAEMON
        and record.end.stopped_by in (DRAINED, INTERRUPTED)
    ]


def stored_view(store: Store, job: int) -> JobView:
    """Return the view of a job that does not run. Blocks."""
    record = store.job(job)
    if is_search(record):
        view = stored_search_view(store, record)
        _check_searched(store, view)
        return view
    return to_view(record, stored_fold(store, record))


def _check_searched(store: Store, view: JobView) -> None:
    """Refuse to show a search that lost its answer, or its proved bounds, as one without."""
    lacks_answer = (
        view.state is JobState.DONE and view.search is not None and not view.search.answer
    )
    if lacks_answer or store.is_search_damaged(view.job):
        raise DamagedError(
            store.path,
            f"what job {view.job} has found is damaged or missing; `manyply resume {view.job}` "
            "finds it again",
        )


def check_extended(record: JobRecord) -> None:
    """Refuse to extend a job that has no trials."""
    if is_search(record):
        raise MasterError(f"job {record.job} is a search: it has no trials to be added to")


def extend_stored(store: Store, job: int, extra: int) -> None:
    """Add games of each alternative to a job that does not run. Blocks."""
    record = store.job(job)
    check_extended(record)
    with store.claim(job):
        store.set_goal(job, extended_goal(record, extra))


@dataclass(frozen=True)
class BegunJob:
    """A job marked as running, with all its stored trials; `warning` names lost ones."""

    record: JobRecord
    known: list[tuple[int, TrialValues]]
    ranges: ValueRanges
    warning: str = ""


def begin_job(store: Store, job: int, runs_in: RunsIn) -> BegunJob:
    """Mark a job as running, without trials that do not count: they are computed again. Blocks.

    These are: damaged trials, those of attempts that had not ended when a master died, and those
    with values that no trial of the context can have, which an older manyply accepted.
    """
    store.set_running(job, runs_in)
    store.drop_unconfirmed(job)
    ranges = _value_ranges(store.job(job).request.context)
    damaged: list[DamagedRun] = []
    runs = store.trial_runs(job, on_damaged=damaged.append)
    stored = [pair for run in runs for pair in enumerate(run.values, run.first_seq)]
    known = [pair for pair in stored if _is_within(pair[1], ranges)]
    if len(known) < len(stored):
        wrong = [(seq, seq + 1) for seq, values in stored if not _is_within(values, ranges)]
        store.cut_trials(job, wrong)
    if not damaged:
        return BegunJob(store.job(job), known, ranges)
    store.drop_damaged(job, damaged)
    first = min(run.first_seq for run in damaged)
    text = f"{store.path}: trials of job {job} from {first} on are damaged and are computed again"
    return BegunJob(store.job(job), known, ranges, text)


def _value_ranges(context: str) -> ValueRanges:
    """Return the ranges of a context's values; none for one that means nothing any more."""
    try:
        return value_ranges(context)
    except ContextError:
        return ()


def _is_within(values: TrialValues, ranges: ValueRanges) -> bool:
    return all(low <= value <= high for value, (low, high) in zip(values, ranges, strict=False))


def how_ended(
    ended: JobEnded, error: str, folded: int, is_stored: bool, is_draining: bool
) -> tuple[JobState, JobEnd]:
    """Return the state in which a job ends, and the reason.

    Args:
        ended: the scheduler's command.
        error: an error elsewhere; empty: none.
        folded: the length of its folded prefix.
        is_stored: everything of it is durable.
        is_draining: the whole master ends.
    """
    stopped_by = str(ended.stopped_by)
    if is_draining and ended.stopped_by is StoppedBy.HALTED:
        stopped_by = DRAINED
    is_done = ended.stopped_by in DONE_WORDS and is_stored
    end = JobEnd(stopped_by if is_stored else FAILED, error or ended.text, folded)
    return JobState.DONE if is_done else JobState.HALTED, end


class StoredJobs:
    """The jobs of a state directory. Use it as an async context manager."""

    is_elsewhere = False

    def __init__(self, state_dir: Path) -> None:
        """Prepare; `async with` opens it."""
        self._state_dir = state_dir
        self._store: Store

    async def __aenter__(self) -> Self:
        """Open the store; raises StoreError."""
        self._store = await asyncio.to_thread(Store, self._state_dir, is_read_only=True)
        return self

    async def __aexit__(self, *ending: object) -> None:
        """Close the store."""
        self._store.close()

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        return await asyncio.to_thread(listed_views, self._store)

    async def show(self, job: int) -> JobView:
        """Return the view of a job."""
        return await asyncio.to_thread(stored_view, self._store, job)
