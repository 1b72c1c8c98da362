"""The jobs of trials that run in this process: started, extended, halted, watched, and stored.

Knows the scheduler's shell and the store, and that a job runs in one process at a time. Must not
know analysers: who watches a job is told of them by whoever asks on his behalf.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from master.contract.commands import JobEnded
from master.contract.errors import MasterError
from master.contract.events import JobExtended, JobHalted, JobSubmitted
from master.contract.rate import RateMeter
from master.contract.views import AnalyserLine, JobRequest, JobView, Update
from master.service.core import Core
from master.service.jobs import (
    RunningJob,
    begin_job,
    daemon_jobs,
    extend_stored,
    how_ended,
    listed_view,
    stored_view,
    to_spec,
    to_view,
)
from master.service.requests import extended_goal, to_new_job
from master.service.tasks import Tasks
from master.store import JobRecord, RunsIn, Store, StoreError
from master.store.unconfirmed import Withdrawal

JOBS_RUNNING_MAX = 64  # each holds a fold and a lock; more is a mistake of the client


class RunningJobs:
    """All jobs of trials that run here."""

    def __init__(self, core: Core, store: Store, tasks: Tasks, runs_in: RunsIn) -> None:
        """Start with none; the core's reports of their ends and losses are to be passed on."""
        self._core = core
        self._store = store
        self._tasks = tasks
        self._runs_in = runs_in
        self._running: dict[int, RunningJob] = {}
        self._is_draining = False

    @property
    def count(self) -> int:
        """How many run."""
        return len(self._running)

    async def submit(self, request: JobRequest) -> int:
        """Store a job and start it; return its number.

        Raises:
            MasterError: the context or the stop rules are wrong, or it cannot be stored.
        """
        self._check_room()
        new_job = await asyncio.to_thread(to_new_job, request)
        job = await asyncio.to_thread(self._store.create_job, new_job)
        await self._start(job)
        return job

    async def resume(self, job: int) -> None:
        """Go on with a job; one that runs here already simply goes on.

        Raises:
            MasterError: there is no such job, or another process runs it.
        """
        if await self._going_on(job) is None:
            await self._start(job)

    async def extend(self, job: int, extra: int) -> None:
        """Add `extra` games of each alternative to a job, and go on with it.

        Raises:
            MasterError: there is no such job, another process runs it, or it has no trial limit.
        """
        running = await self._going_on(job)
        if running is not None:
            await self._extend_running(running, extra)
            return
        await asyncio.to_thread(extend_stored, self._store, job, extra)
        await self._start(job)

    async def _extend_running(self, running: RunningJob, extra: int) -> None:
        job = running.record.job
        trials, stop_se = extended_goal(running.record, extra)
        await asyncio.to_thread(self._store.set_goal, job, trials, stop_se)
        request = replace(running.record.request, trials=trials, stop_se=stop_se)
        running.record = replace(running.record, request=request)
        self._core.feed(JobExtended(job, trials))

    async def halt(self, job: int) -> None:
        """Stop a running job and wait until everything computed for it is stored.

        Raises:
            MasterError: it does not run here.
        """
        running = self._running.get(job)
        if running is None:
            await asyncio.to_thread(self._store.job, job)
            raise MasterError(f"job {job} is not running here")
        running.is_ending = True
        self._core.feed(JobHalted(job))
        await running.ended.wait()

    async def forget(self, job: int) -> None:
        """Delete a job with all its trials; MasterError when there is none, or when it runs."""
        await asyncio.to_thread(self._store.forget, job)

    async def drain(self) -> None:
        """Halt all jobs and wait until everything computed for them is stored; start no more."""
        self._is_draining = True
        running = [self._running[job] for job in sorted(self._running)]
        for one in running:
            one.is_ending = True
            self._core.feed(JobHalted(one.record.job))
        for one in running:
            await one.ended.wait()

    def stop(self, text: str) -> None:
        """Halt all jobs by a mistake of ours, which their records tell."""
        for job, running in sorted(self._running.items()):
            running.error = running.error or text
            self._core.feed(JobHalted(job))

    async def own_jobs(self) -> list[int]:
        """Return the jobs that a daemon on this directory was running when it ended."""
        return await asyncio.to_thread(daemon_jobs, self._store)

    async def listed(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        records = await asyncio.to_thread(self._store.jobs)
        return [await self._listed(record) for record in records]

    async def show(self, job: int) -> JobView:
        """Return how a job stands, running or not.

        Raises:
            MasterError: there is no such job.
        """
        running = self._running.get(job)
        if running is not None:
            return self._view(running.record)
        return await asyncio.to_thread(stored_view, self._store, job)

    async def subscribe(
        self, job: int, interval_s: float, analysers: Callable[[], tuple[AnalyserLine, ...]]
    ) -> AsyncIterator[Update]:
        """Yield how a job stands, now and again, and once more at its end; `analysers` tells who.

        Raises:
            MasterError: there is no such job.
        """
        seen = 0
        running = self._running.get(job)
        while running is not None and running.final is None:
            notices, seen = self._core.notices.since(seen), self._core.notices.count
            yield Update(self._view(running.record), analysers(), notices, False)
            try:
                async with asyncio.timeout(interval_s):
                    await running.ended.wait()
            except TimeoutError:
                continue
        view = await self.show(job) if running is None else running.final
        assert view is not None, "the loop above ends with it"
        yield Update(view, analysers(), self._core.notices.since(seen), True)

    # How it works.

    async def _going_on(self, job: int) -> RunningJob | None:
        """Return the job if it runs here, after waiting for one that is ending."""
        running = self._running.get(job)
        if running is not None and running.is_ending:
            await running.ended.wait()
            return None
        return running

    def _check_room(self) -> None:
        if self._is_draining:
            raise MasterError("the master is ending; no job is started")
        if len(self._running) >= JOBS_RUNNING_MAX:
            raise MasterError(f"{JOBS_RUNNING_MAX} jobs are running; no more are started")

    async def _start(self, job: int) -> None:
        self._check_room()
        lock = await asyncio.to_thread(self._store.claim, job)
        try:
            begun = await asyncio.to_thread(begin_job, self._store, job, self._runs_in)
        except BaseException:
            lock.release()
            raise
        if begun.warning:
            self._core.warn(begun.warning)
        meter = RateMeter(asyncio.get_running_loop().time(), len(begun.known))
        self._running[job] = RunningJob(begun.record, lock, meter)
        self._core.feed(JobSubmitted(to_spec(begun.record, begun.ranges), begun.known))

    async def _listed(self, record: JobRecord) -> JobView:
        if record.job in self._running:
            return self._view(record, is_summed=False)
        return await asyncio.to_thread(listed_view, self._store, record)

    def _view(self, record: JobRecord, is_summed: bool = True) -> JobView:
        running = self._running[record.job]
        fold = self._core.scheduler.fold(record.job)
        running.meter.note(asyncio.get_running_loop().time(), fold.folded + fold.held_count)
        return to_view(running.record, fold, running.meter.per_s(), is_summed)

    # What the core reports.

    def note_ended(self, command: JobEnded) -> None:
        """Store how a job ended, and tell those who watch it."""
        running = self._running[command.job]
        running.is_ending = True
        self._tasks.spawn(self._finish(running, command))

    def note_withdrawn(self, withdrawal: Withdrawal) -> None:
        """Add who was caught to the job's record."""
        running = self._running[withdrawal.job]
        withdrawals = (*running.record.withdrawals, withdrawal)
        running.record = replace(running.record, withdrawals=withdrawals)

    def note_broken(self, error: StoreError) -> None:
        """Have every job end with this error."""
        self._core.warn(str(error))
        for running in self._running.values():
            running.error = str(error)

    async def _finish(self, running: RunningJob, ended: JobEnded) -> None:
        job, fold = ended.job, self._core.scheduler.fold(ended.job)
        is_stored = await self._core.store_snapshot(job, fold.folded, fold.snapshot())
        state, end = how_ended(ended, running.error, fold.folded, is_stored, self._is_draining)
        try:
            await asyncio.to_thread(self._store.set_ended, job, state, end)
        except StoreError as error:
            end = replace(end, error=end.error or str(error))
        running.meter.note(asyncio.get_running_loop().time(), fold.folded + fold.held_count)
        record = replace(running.record, state=state, end=end)
        running.final = to_view(record, fold, running.meter.per_s())
        self._core.scheduler.forget(job)
        del self._running[job]
        running.lock.release()
        running.ended.set()
