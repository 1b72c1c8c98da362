"""The courses of jobs, read from the store in steps, as they are shown.

The stored results suffice, while a job runs here or elsewhere and when it runs no more. Nothing is
read unless a course is asked for.
"""

import asyncio
import threading
from collections import OrderedDict
from dataclasses import dataclass

from master.contract.job_words import JobState
from master.contract.views import JobConvergence
from master.fold.convergence import Convergence
from master.fold.stop_rule import StopRule
from master.service.job_records import is_search, prefix_end, rule_of
from master.store.records import JobRecord
from master.store.runs import DamagedRun
from master.store.store import Store
from master.store.unconfirmed import Withdrawal

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
            None if rule.stop_settled is None else rule,
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
