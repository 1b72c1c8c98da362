"""Jobs as the service holds them while they run, and how any job is shown.

Knows records, folds and views. Must not know analysers or the wire.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from master.events import JobSpec, Values
from master.fold.trials import TrialFold
from master.rate import RateMeter
from master.store import JobEnd, JobLock, JobRecord, JobState, RunsIn, Store
from master.views import JobView, Notice

NOTICES_MAX = 200  # A watcher that comes late sees the last ones; a flood fills no memory.


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


@dataclass(eq=False)
class RunningJob:
    """A job that this process runs.

    `is_ending` says that it takes no more wishes: it was halted, or has met a stop rule. `final` is
    its last view: set, and `ended` with it, when everything of it is stored.
    """

    record: JobRecord
    lock: JobLock
    meter: RateMeter
    error: str = ""
    is_ending: bool = False
    final: JobView | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)


def to_spec(record: JobRecord) -> JobSpec:
    """Return what the scheduler needs to know of a job."""
    request = record.request
    return JobSpec(
        job=record.job,
        context=request.context,
        game=request.game,
        engine=request.engine,
        alternative_count=len(request.alternative_names),
        value_count=len(request.value_names),
        trials=request.trials,
        stop_se=request.stop_se,
    )


def to_view(
    record: JobRecord, fold: TrialFold | None, trials_per_s: float = 0.0, is_summed: bool = True
) -> JobView:
    """Return how a job stands; without a fold, as far as its record tells.

    `is_summed` asks for the alternatives' statistics.
    """
    request = record.request
    summary = fold.summary() if fold is not None and is_summed else None
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
        trials=request.trials,
        stop_se=request.stop_se,
        state=record.state,
        stopped_by=record.end.stopped_by,
        error=record.end.error,
        folded=folded,
        held=0 if fold is None else fold.held_count,
        trials_per_s=trials_per_s,
        eta_s=_eta_s(record, folded, trials_per_s),
        alternatives=() if summary is None else summary.alternatives,
    )


def _eta_s(record: JobRecord, folded: int, trials_per_s: float) -> float | None:
    request = record.request
    if record.state is not JobState.RUNNING or request.trials is None or trials_per_s <= 0:
        return None
    left = request.trials * len(request.alternative_names) - folded
    return max(0.0, left / trials_per_s)


def stored_fold(store: Store, record: JobRecord) -> TrialFold:
    """Return the fold of everything stored of a job: the bits that running it gave.

    It starts from the last snapshot; by the fold's law that gives the same bits as starting from
    the first trial.
    """
    request = record.request
    snapshot = store.snapshot(record.job)
    if snapshot is None:
        fold = TrialFold(len(request.alternative_names), len(request.value_names))
    else:
        fold = TrialFold.restore(snapshot[1])
    if record.end.stopped_by in ("trials", "stop_se"):
        fold.limit = record.end.folded
    for run in store.trial_runs(record.job, fold.folded):
        for seq, values in enumerate(run.values, run.first_seq):
            fold.add(seq, values)
    return fold


def stored_view(store: Store, job: int) -> JobView:
    """Return how a job that does not run stands. Blocks."""
    record = store.job(job)
    return to_view(record, stored_fold(store, record))


def begin_job(
    store: Store, job: int, runs_in: RunsIn
) -> tuple[JobRecord, list[tuple[int, Values]]]:
    """Mark a job as running; return it with all its stored trials. Blocks."""
    store.job(job)
    store.set_running(job, runs_in)
    runs = store.trial_runs(job)
    known = [pair for run in runs for pair in enumerate(run.values, run.first_seq)]
    return store.job(job), known


def to_end(stopped_by: str, error: str, fold: TrialFold) -> JobEnd:
    """Return how a job came to stand still."""
    return JobEnd(stopped_by, error, fold.folded)
