"""The progress of jobs of trials: the course of their means, and the flow of their results.

The stored results suffice, while a job runs here or elsewhere and when it runs no more. Nothing is
read unless a course is asked for.
"""

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from master.contract.job_words import JobState
from master.contract.views import FlowSample, JobConvergence, JobFlow
from master.fold.convergence import Convergence
from master.fold.stop_rule import StopRule
from master.service.listed_jobs import is_search
from master.service.stored_folds import prefix_end, rule_of
from master.store.records import JobRecord
from master.store.runs import DamagedRun
from master.store.store import Store
from master.store.unconfirmed import Withdrawal

SAMPLES_MAX = 256
"""More than a curve as wide as a page shows; twice as far apart whenever there are more."""

NAMES_MAX = 32
"""Analysers shown by name; the rest are shown together, under `OTHERS`."""

OTHERS = "all others"

FLOWS_MAX = 64
"""Jobs whose flows are remembered: as many as can run at a time."""


class Staircase:
    """Samples over time, of which every other one goes when there are too many.

    The first and the newest one always stay, and where nothing changes two are enough.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._kept: list[FlowSample] = []
        self._newest: FlowSample | None = None
        self._gap_s = 0.0

    def record(self, sample: FlowSample) -> None:
        """Take a sample in; times never go back."""
        kept, newest = self._kept, self._newest
        if not kept:
            kept.append(sample)
            return
        if newest is not None and newest.at_s - kept[-1].at_s >= self._gap_s:
            is_flat = _counts(kept[-1]) == _counts(newest) == _counts(sample)
            if not is_flat:
                kept.append(newest)
        self._newest = sample
        if len(kept) > SAMPLES_MAX:
            self._kept = kept[::2]
            self._gap_s = max(2 * self._gap_s, (kept[-1].at_s - kept[0].at_s) / SAMPLES_MAX)

    def samples(self) -> tuple[FlowSample, ...]:
        """Return the samples, oldest first."""
        return tuple(self._kept) + (() if self._newest is None else (self._newest,))


def _counts(sample: FlowSample) -> tuple[int, int]:
    return sample.received, sample.folded


class Flow:
    """The flow of one job.

    Args:
        began_at: when it went on.
        stored: its results that were there by then.
    """

    def __init__(self, began_at: float, stored: int) -> None:
        self._began_at = began_at
        self._stored = stored
        self._staircase = Staircase()
        self._counted = 0  # trials of the prefix whose analysers are counted
        self._withdrawals = 0
        self._by_name: Counter[str] = Counter()

    def observe(
        self,
        now: float,
        counts: tuple[int, int],
        folded_end: int,
        withdrawals: int,
        sources: Callable[[int, int], Mapping[str, int]],
    ) -> None:
        """Take a sample of the job.

        Args:
            now: when.
            counts: results received, and those folded.
            folded_end: length of the folded prefix.
            withdrawals: how often results of an analyser were taken out.
            sources: takes first and end of trials, and returns how many come from each analyser.
        """
        self._staircase.record(FlowSample(now - self._began_at, *counts))
        if folded_end < self._counted or withdrawals != self._withdrawals:
            self._counted, self._withdrawals = 0, withdrawals
            self._by_name.clear()
        if folded_end > self._counted:
            self._by_name.update(sources(self._counted, folded_end))
            self._counted = folded_end

    def view(self) -> JobFlow:
        """Return how results came in."""
        ranked = sorted(self._by_name.items(), key=lambda pair: (-pair[1], pair[0]))
        view, rest = ranked[:NAMES_MAX], ranked[NAMES_MAX:]
        if rest:
            view.append((OTHERS, sum(count for _, count in rest)))
        return JobFlow(self._staircase.samples(), tuple(view), self._stored)


class Flows:
    """The flows of the jobs that went on last."""

    def __init__(self) -> None:
        """Start with none."""
        self._flows: OrderedDict[int, Flow] = OrderedDict()

    def begin(self, job: int, now: float, stored: int) -> Flow:
        """Return the flow of a job that goes on now, in place of an earlier one."""
        flow = self._flows[job] = Flow(now, stored)
        self._flows.move_to_end(job)
        while len(self._flows) > FLOWS_MAX:
            self._flows.popitem(last=False)
        return flow

    def view(self, job: int, *, is_live: bool) -> JobFlow | None:
        """Return how results of a job came in; None: it is not known here."""
        flow = self._flows.get(job)
        return None if flow is None else replace(flow.view(), is_live=is_live)


CONVERGENCES_MAX = 16
"""Jobs whose courses are kept: some windows on as many pages."""

READ_TRIALS_MAX = 100_000
"""Trials read for one answer: about 0.2 s of a thread beside the master's loop; the next answer
reads on."""


@dataclass(frozen=True)
class _Ground:
    """The basis of a course: when it changes, the course is read anew from the beginning.

    It has to be once a job has ended, for a trial that was corrected while it ran.
    """

    is_running: bool
    end: int
    rule: StopRule | None
    withdrawals: tuple[Withdrawal, ...]


@dataclass
class _Kept:
    ground: _Ground
    convergence: Convergence


class JobConvergences:
    """The courses of one store's jobs."""

    def __init__(self, store: Store) -> None:
        """Start with none."""
        self._store = store
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._turn = asyncio.Lock()  # one reads at a time: two threads are no faster than one
        self._mutex = threading.Lock()  # a cancelled call leaves a thread behind that reads on

    async def convergence(self, job: int) -> JobConvergence:
        """Return the way of a job's means, as far as it was read.

        Raises:
            MasterError: there is no such job, or it cannot be read.
        """
        async with self._turn:
            return await asyncio.to_thread(self._read, job)

    def _read(self, job: int) -> JobConvergence:
        """Read on; blocks."""
        record = self._store.job(job)
        if is_search(record):
            return JobConvergence()
        with self._mutex:
            convergence = self._convergence_of(record)
            is_behind = read_on(self._store, job, convergence)
            return JobConvergence(convergence.points(), is_behind)

    def _convergence_of(self, record: JobRecord) -> Convergence:
        rule = rule_of(record.request)
        ground = _Ground(
            record.state is JobState.RUNNING,
            prefix_end(record),
            None if rule.goal.stop_settled is None else rule,
            record.withdrawals,
        )
        kept = self._kept.get(record.job)
        if kept is None or kept.ground != ground:
            convergence = Convergence(len(record.request.alternative_names), rule, ground.end)
            kept = self._kept[record.job] = _Kept(ground, convergence)
        self._kept.move_to_end(record.job)
        while len(self._kept) > CONVERGENCES_MAX:
            self._kept.popitem(last=False)
        return kept.convergence


def read_on(
    store: Store, job: int, convergence: Convergence, trials_max: int = READ_TRIALS_MAX
) -> bool:
    """Read stored trials behind a course, up to so many; return whether there is more.

    A damaged row is a gap, and ends the course as it ends the fold; `resume` reports and fills it.
    """
    damaged: list[DamagedRun] = []
    left = trials_max
    for run in store.later_runs(job, convergence.next_seq, damaged.append):
        if left <= 0:
            return True
        if not convergence.add_run(run.first_seq, [values[-1] for values in run.values]):
            return False
        left -= len(run.values)
    return False
