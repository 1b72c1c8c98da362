"""The jobs that run in this process: started, extended, halted and watched on request.

A job runs in one process at a time.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.contract.search_views import SearchTreeView
from master.contract.views import AnalyserLine, JobRequest, JobView, Update
from master.reports.texts import counted
from master.service.background_tasks import BackgroundTasks
from master.service.core import Core
from master.service.job_records import check_extended, daemon_jobs, extend_stored, stored_view
from master.service.job_requests import to_new_job
from master.service.listed_jobs import is_search, listed_view
from master.service.running_job import RunningJob
from master.service.search_jobs import SearchJobs
from master.service.searches import Searches
from master.service.trial_jobs import TrialJobs
from master.store.errors import JobBusyError, StoreError
from master.store.records import JobRecord, RunsIn
from master.store.store import Store

JOBS_RUNNING_MAX = 64
"""Each holds a fold or a tree, and a lock; more is a mistake of the client."""


class RunningJobs:
    """All jobs that run here.

    Attributes:
        trials: those that are trials; the core's reports of them are to be passed on to it.
    """

    def __init__(
        self, core: Core, store: Store, searches: Searches, tasks: BackgroundTasks, runs_in: RunsIn,
        log: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        """Start with none; `log` gets a line for each job that begins or ends."""
        self._core = core
        self._store = store
        self._runs_in = runs_in
        self._log = log
        self._running: dict[int, RunningJob] = {}
        self._is_draining = False
        self.trials = TrialJobs(core, store, tasks, self._is_restarting)
        self._searches = SearchJobs(core, store, searches, tasks, self._is_restarting)

    def _is_restarting(self) -> bool:
        """Whether jobs are halted only until the next start: a daemon goes on with its own."""
        return self._is_draining and self._runs_in is RunsIn.DAEMON

    @property
    def count(self) -> int:
        """How many run."""
        self._forget_ended()
        return len(self._running)

    def _forget_ended(self) -> None:
        for job in [job for job, one in self._running.items() if one.final is not None]:
            del self._running[job]

    async def submit(self, request: JobRequest) -> int:
        """Store a job and start it; return its number.

        Raises:
            MasterError: the context or the stop rules are wrong, or it cannot be stored.
        """
        self._check_room()
        new_job = await asyncio.to_thread(to_new_job, request)
        job = await asyncio.to_thread(self._store.create_job, new_job)
        await self._start(job, "begins")
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
            check_extended(running.record)
            await self.trials.extend(running, extra)
            return
        await asyncio.to_thread(extend_stored, self._store, job, extra)
        await self._start(job)

    async def halt(self, job: int) -> None:
        """Stop a running job and wait until everything computed for it is stored.

        Raises:
            MasterError: it does not run here.
        """
        running = await self._running_here(job)
        running.halt()
        await running.ended.wait()

    async def prioritise(self, job: int, priority: Priority) -> None:
        """Put a running job of trials into the background, or back.

        Raises:
            MasterError: it does not run here, or is a search, or its priority would be above
            NORMAL.
        """
        if priority > Priority.NORMAL:
            raise MasterError("the priority of a job is background or normal")
        running = await self._running_here(job)
        if is_search(running.record):
            raise MasterError(f"job {job} is a search: only jobs of trials have a priority")
        await self.trials.prioritise(running, priority)

    async def forget(self, job: int) -> None:
        """Delete a job with all of it; MasterError when there is none, or when it runs."""
        await asyncio.to_thread(self._store.forget, job)

    async def drain(self) -> None:
        """Halt all jobs and wait until everything computed for them is stored; start no more."""
        self._is_draining = True
        running = [self._running[job] for job in sorted(self._running)]
        for one in running:
            one.halt()
        for one in running:
            await one.ended.wait()

    def stop(self, text: str) -> None:
        """Halt all jobs because of a bug of ours, which is noted in their records."""
        for _, running in sorted(self._running.items()):
            running.error = running.error or text
            running.halt()

    async def own_jobs(self) -> list[int]:
        """Return the jobs that a daemon on this directory was running when it ended."""
        return await asyncio.to_thread(daemon_jobs, self._store)

    async def listed(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        records = await asyncio.to_thread(self._store.jobs)
        found: dict[int, JobView] = {}
        for record in records:
            running = self._at_work(record.job)
            if running is not None:
                found[record.job] = running.view(is_summed=False)
        resting = [record for record in records if record.job not in found]
        # All in one turn of a thread: a thousand turns take longer than the reading in them.
        views = await asyncio.to_thread(_listed_views, self._store, resting)
        found |= {view.job: view for view in views}
        return [found[record.job] for record in records]

    async def counted(self) -> dict[str, int]:
        """Return how many jobs are in each state, by its word.

        One that is running by the store, and not here, was killed, or runs in another process on
        this folder: it counts as halted.
        """
        stored = await asyncio.to_thread(self._store.job_counts)
        here = sum(self._at_work(job) is not None for job in self._running)
        counts = {state.value: stored.get(state.value, 0) for state in JobState}
        running, halted = JobState.RUNNING.value, JobState.HALTED.value
        counts[halted] += max(0, counts[running] - here)
        counts[running] = here
        return counts

    async def show(self, job: int) -> JobView:
        """Return the view of a job, running or not.

        Raises:
            MasterError: there is no such job.
        """
        running = self._at_work(job)
        if running is not None:
            return running.view()
        return await asyncio.to_thread(stored_view, self._store, job)

    async def search_tree(self, job: int) -> SearchTreeView:
        """Return the top of a search's tree; one that does not run has none.

        Raises:
            MasterError: there is no such job, or it is no search.
        """
        running = self._at_work(job)
        tree = None if running is None else running.tree()
        if tree is not None:
            return tree
        view = await self.show(job)
        if view.search is None:
            raise MasterError(f"job {job} is no search: it has no tree")
        return SearchTreeView(view.game, False, view.search)

    async def subscribe(
        self, job: int, interval_s: float, analysers: Callable[[], tuple[AnalyserLine, ...]]
    ) -> AsyncIterator[Update]:
        """Yield views of a job and of `analysers`, now and again, and once more at its end.

        Raises:
            MasterError: there is no such job.
        """
        seen = 0
        running = self._at_work(job)
        while running is not None and running.final is None:
            notices, seen = self._core.notices.since(seen), self._core.notices.count
            yield Update(running.view(), analysers(), notices, False)
            try:
                async with asyncio.timeout(interval_s):
                    await running.ended.wait()
            except TimeoutError:
                continue
        view = await self.show(job) if running is None else running.final
        assert view is not None, "the loop above ends with it"
        yield Update(view, analysers(), self._core.notices.since(seen), True)

    # How it works.

    def _at_work(self, job: int) -> RunningJob | None:
        running = self._running.get(job)
        return None if running is None or running.final is not None else running

    async def _running_here(self, job: int) -> RunningJob:
        """Return a job that runs here; MasterError, whose text shows if it exists at all."""
        running = self._at_work(job)
        if running is None:
            await asyncio.to_thread(self._check_not_elsewhere, job)
            raise MasterError(f"job {job} is not running")
        return running

    def _check_not_elsewhere(self, job: int) -> None:
        """Raise MasterError for a job that does not exist, or that another process runs. Blocks."""
        self._store.job(job)
        try:
            self._store.claim(job).release()
        except JobBusyError as error:
            raise MasterError(f"{error}: Ctrl-C there halts it") from None

    async def _going_on(self, job: int) -> RunningJob | None:
        """Return the job if it runs here, after waiting for one that is ending."""
        running = self._at_work(job)
        if running is not None and running.is_ending:
            await running.ended.wait()
            return None
        return running

    def _check_room(self) -> None:
        if self._is_draining:
            raise MasterError("the master is ending; no job is started")
        if self.count >= JOBS_RUNNING_MAX:
            raise MasterError(f"{JOBS_RUNNING_MAX} jobs are running; no more are started")

    async def _start(self, job: int, word: str = "goes on") -> None:
        self._check_room()
        lock = await asyncio.to_thread(self._store.claim, job)
        try:
            record = await asyncio.to_thread(self._store.job, job)
            kind = self._searches if is_search(record) else self.trials
            running = self._running[job] = await kind.begin(job, lock, self._runs_in)
        except BaseException:
            lock.release()
            raise
        running.on_end = lambda view: self._log(end_line(view))
        label = record.request.label
        self._log(f"job {job} {word}: {record.request.game}{label and f', {label}'}")

    def fail_all(self, error: StoreError) -> None:
        """Have every job end with this error: the scheduler's do by themselves."""
        self._core.warn(str(error))
        for running in self._running.values():
            running.error = str(error)
            if is_search(running.record):
                running.halt()


def end_line(view: JobView) -> str:
    """Return the line of a log about a job that has ended."""
    state = view.state.value
    stopped_by = view.stopped_by if view.state is JobState.HALTED else ""
    why = view.error or (stopped_by if stopped_by != state else "")
    trials = "" if view.search is not None else f", {counted(view.folded, 'trial')}"
    return f"job {view.job} ends: {state}{trials}{why and f', {why}'}"


def _listed_views(store: Store, records: Sequence[JobRecord]) -> list[JobView]:
    """Return the views of jobs that do not run here, without statistics. Blocks."""
    return [listed_view(store, record) for record in records]
