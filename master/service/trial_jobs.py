"""The jobs of trials that run in this process, between the scheduler and the store."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from master.contract.commands import JobEnded
from master.contract.events import JobExtended, JobHalted, JobPrioritised, JobSubmitted
from master.contract.job_words import Priority
from master.contract.rate import RateMeter
from master.contract.views import JobFlow, JobView
from master.service.background_tasks import BackgroundTasks
from master.service.convergences import Flow, Flows
from master.service.core import Core
from master.service.job_records import begin_job, how_ended, to_spec
from master.service.job_requests import extended_goal
from master.service.listed_jobs import to_view
from master.service.running_job import RunningJob
from master.store.errors import StoreError
from master.store.lock import JobLock
from master.store.records import RunsIn
from master.store.store import Store
from master.store.unconfirmed import Withdrawal

CHECK_INTERVAL_S = 0.25
"""Between two samples of results, of some microseconds each: finer steps are not visible."""


@dataclass(eq=False, kw_only=True)
class RunningTrials(RunningJob):
    """A job of trials; the scheduler has its fold."""

    core: Core
    meter: RateMeter
    flow: Flow

    def halt(self) -> None:
        """Have the scheduler hand out no more of it."""
        self.is_ending = True
        self.core.feed(JobHalted(self.record.job))

    def view(self, is_summed: bool = True) -> JobView:
        """Return its view."""
        fold = self.core.scheduler.fold(self.record.job)
        self.meter.record(asyncio.get_running_loop().time(), fold.result_count)
        return to_view(self.record, fold, self.meter.per_s(), is_summed)

    def check(self) -> None:
        """Note how many results are here, and their sources."""
        scheduler, job = self.core.scheduler, self.record.job
        fold = scheduler.fold(job)
        received = fold.result_count
        self.flow.observe(
            asyncio.get_running_loop().time(),
            (received, received - fold.held_count),
            fold.folded,
            len(self.record.withdrawals),
            partial(scheduler.sources, job),
        )

    async def observe(self) -> None:
        """Take samples now and again, until it has ended."""
        while self.final is None:
            self.check()
            try:
                async with asyncio.timeout(CHECK_INTERVAL_S):
                    await self.ended.wait()
            except TimeoutError:
                continue


class TrialJobs:
    """Starts jobs of trials, and sees them to their ends."""

    def __init__(
        self, core: Core, store: Store, tasks: BackgroundTasks, is_draining: Callable[[], bool]
    ) -> None:
        """Start with none; the core's reports are to be passed on."""
        self._core = core
        self._store = store
        self._tasks = tasks
        self._is_draining = is_draining
        self._running: dict[int, RunningTrials] = {}
        self._flows = Flows()

    async def begin(self, job: int, lock: JobLock, runs_in: RunsIn) -> RunningTrials:
        """Go on with a job from its stored results."""
        begun = await asyncio.to_thread(begin_job, self._store, job, runs_in)
        if begun.warning:
            self._core.warn(begun.warning)
        now, known = asyncio.get_running_loop().time(), len(begun.known)
        flow = self._flows.begin(job, now, known)
        meter = RateMeter(now, known)
        running = RunningTrials(begun.record, lock, core=self._core, meter=meter, flow=flow)
        self._running[job] = running
        self._core.feed(JobSubmitted(to_spec(begun.record, begun.ranges), begun.known))
        self._tasks.spawn(running.observe())
        return running

    @property
    def count(self) -> int:
        """How many run."""
        return len(self._running)

    def flow(self, job: int) -> JobFlow | None:
        """Return how results of a job came in; None: it did not run here."""
        return self._flows.view(job, is_live=job in self._running)

    async def extend(self, running: RunningJob, extra: int) -> None:
        """Add games of each alternative to a job that runs."""
        job = running.record.job
        goal = extended_goal(running.record, extra)
        await asyncio.to_thread(self._store.set_goal, job, goal)
        running.record = replace(running.record, request=replace(running.record.request, goal=goal))
        assert goal.trials is not None, "it was extended"
        self._core.feed(JobExtended(job, goal.trials))

    async def prioritise(self, running: RunningJob, priority: Priority) -> None:
        """Put a job that runs into the background, or back."""
        job = running.record.job
        await asyncio.to_thread(self._store.set_priority, job, priority)
        running.record = replace(running.record, priority=priority)
        self._core.feed(JobPrioritised(job, priority))

    # The core's reports.

    def record_end(self, command: JobEnded) -> None:
        """Store the end of a job, and notify its watchers."""
        running = self._running[command.job]
        running.is_ending = True
        self._tasks.spawn(self._finish(running, command))

    def record_withdrawal(self, withdrawal: Withdrawal) -> None:
        """Add a withdrawal to the job's record."""
        running = self._running[withdrawal.job]
        withdrawals = (*running.record.withdrawals, withdrawal)
        running.record = replace(running.record, withdrawals=withdrawals)

    async def _finish(self, running: RunningTrials, ended: JobEnded) -> None:
        job, fold = ended.job, self._core.scheduler.fold(ended.job)
        is_stored = await self._core.store_snapshot(job, fold.folded, fold.snapshot())
        state, end = how_ended(ended, running.error, fold.folded, is_stored, self._is_draining())
        try:
            await asyncio.to_thread(self._store.set_ended, job, state, end)
        except StoreError as error:
            end = replace(end, error=end.error or str(error))
        running.record = replace(running.record, state=state, end=end)
        view = running.view()
        running.check()
        self._core.scheduler.forget(job)
        del self._running[job]
        running.end(view)
