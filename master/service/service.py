"""The master as one object: what the command line composes, and what the daemon serves.

Knows jobs, analysers and where each is kept; it passes wishes on to the scheduler's shell and
shows what became of them. The client of a control socket (master.control.client) offers the same
methods, so that a caller need not care which of the two it holds.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from master.config.fleet import FleetEntry
from master.contract.commands import JobEnded
from master.contract.errors import MasterError
from master.contract.events import JobExtended, JobHalted, JobSubmitted, Priority
from master.contract.rate import RateMeter
from master.contract.views import (
    UPDATE_INTERVAL_S,
    AnalyserLine,
    JobRequest,
    JobView,
    Notice,
    Update,
)
from master.scheduler import SchedulerOptions
from master.search.standing import Standing
from master.service.asks import Asks, OnAnswer
from master.service.core import Core
from master.service.dialler import Dialler
from master.service.doors import Door
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
from master.service.searches import SearchTask
from master.service.showing import analyser_lines, durability_line, status_lines
from master.service.tasks import Tasks
from master.store import JobRecord, RunsIn, Store, StoreError
from master.store.unconfirmed import Withdrawal
from protocol.aio import Link
from protocol.connection import MasterSide

JOBS_RUNNING_MAX = 64  # each holds a fold and a lock; more is a mistake of the client


class MasterService:
    """A master in this process. Use it as an async context manager."""

    def __init__(
        self,
        state_dir: Path,
        name: str = "manyply",
        runs_in: RunsIn = RunsIn.COMMAND,
        options: SchedulerOptions | None = None,
        on_notice: Callable[[Notice], None] | None = None,
    ) -> None:
        """Prepare a master on a state directory; `async with` opens it.

        Args:
            state_dir: where jobs are kept.
            name: how it introduces itself to analysers.
            runs_in: what sort of process this is.
            options: fixed part sizes, for benches.
            on_notice: called for each warning and incident, for a log.
        """
        self._state_dir = state_dir
        self._name = name
        self._runs_in = runs_in
        self._options = options or SchedulerOptions()
        self._on_notice = on_notice
        self._running: dict[int, RunningJob] = {}
        self._diallers: list[Dialler] = []
        self._tasks = Tasks(self._note_died)
        self._is_draining = False
        self._store: Store
        self._core: Core
        self._asks: Asks

    async def __aenter__(self) -> Self:
        """Open the store; raises StoreError."""
        self._store = await asyncio.to_thread(Store, self._state_dir)
        try:
            self._core = Core(
                self._store.path,
                self._name,
                self._options,
                self._note_ended,
                self._note_broken,
                self._on_notice,
                self._note_withdrawn,
            )
        except StoreError:
            self._store.close()
            raise
        self._asks = Asks(self._core, self._store)
        return self

    async def __aexit__(self, *ending: object) -> None:
        """Halt what runs, store it, and leave."""
        await self.drain()
        await self._tasks.cancel()
        await self._core.close()
        self._store.close()

    # Analysers.

    def new_side(self) -> MasterSide:
        """Return the master's end of a new link."""
        return MasterSide()

    def add_link(self, link: Link, name: str = "", address: str = "") -> None:
        """Serve the analyser at the other end of a link, until it ends."""
        door = Door(name, address or link.peer or "local", is_ours=True)
        self._tasks.spawn(self._core.pool.serve(link, door))

    async def serve_link(self, link: Link) -> None:
        """Serve an analyser that dialled in, until its connection ends."""
        await self._core.pool.serve(link, Door.inbound(link.peer))

    async def add_analyser(self, entry: FleetEntry) -> str:
        """Keep an analyser of the fleet connected from now on.

        Returns:
            Once the first attempt is over: nothing when it is ready, else the reason; it is tried
            again all the same.
        """
        dialler = Dialler(entry, self._core.pool, self._core.warn)
        self._diallers.append(dialler)
        self._tasks.spawn(dialler.run())
        return await asyncio.shield(dialler.first_reason)

    def analysers(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name: those that work, and those of the fleet that do not."""
        return analyser_lines(self._core, self._doors())

    def _doors(self) -> list[Door]:
        return [dialler.door for dialler in self._diallers]

    @property
    def running_count(self) -> int:
        """How many jobs run here."""
        return len(self._running)

    async def who(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name, as `analysers` does."""
        return self.analysers()

    async def status(self) -> list[str]:
        """Return how this master is, as lines for people."""
        return [
            f"master {self._name} on {self._state_dir}",
            f"jobs running: {len(self._running)}",
            self._asks.status_line(),
            *status_lines(self._core, self._doors()),
            durability_line(self._store.path),
        ]

    def _note_died(self, text: str) -> None:
        """Halt all jobs when a task dies of our own mistake: a wait must not become endless."""
        for job, running in sorted(self._running.items()):
            running.error = running.error or text
            self._core.feed(JobHalted(job))
        self._asks.stop(text)
        self._core.searches.stop(text)

    # Questions.

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: OnAnswer | None = None,
    ) -> list[str]:
        """Return the answers to questions (engine_ext.services), in the questions' order.

        What was answered before is not asked again. Cancelled, it stops what is not answered yet.

        Args:
            questions: one line each; the same one may stand there several times.
            priority: whose work goes first.
            on_answer: called with a question's index and answer as soon as it is known, kept ones
                first; again, should an answer be proved wrong before the last one is there.

        Raises:
            QuestionError: a question is none, or cannot be answered.
            MasterError: too many are asked, or the master is ending.
        """
        return await self._asks.ask(questions, priority, on_answer)

    def search(self, task: SearchTask) -> AsyncGenerator[Standing, None]:
        """Search a position by all suitable analysers; see Searches.search."""
        return self._core.searches.search(task)

    # Jobs.

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
        """Halt all jobs and wait until everything computed for them is stored; start no more.

        Questions are asked no more: their callers get an error at once.
        """
        self._is_draining = True
        self._asks.close()
        self._core.searches.close("the master is ending; nothing more is searched")
        running = [self._running[job] for job in sorted(self._running)]
        for one in running:
            one.is_ending = True
            self._core.feed(JobHalted(one.record.job))
        for one in running:
            await one.ended.wait()

    async def own_jobs(self) -> list[int]:
        """Return the jobs that a daemon on this directory was running when it ended."""
        return await asyncio.to_thread(daemon_jobs, self._store)

    async def jobs(self) -> list[JobView]:
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
        self, job: int, interval_s: float = UPDATE_INTERVAL_S
    ) -> AsyncIterator[Update]:
        """Yield how a job stands, now and again, and once more at its end.

        Raises:
            MasterError: there is no such job.
        """
        seen = 0
        running = self._running.get(job)
        while running is not None and running.final is None:
            notices, seen = self._core.notices.since(seen), self._core.notices.count
            yield Update(self._view(running.record), self.analysers(), notices, False)
            try:
                async with asyncio.timeout(interval_s):
                    await running.ended.wait()
            except TimeoutError:
                continue
        view = await self.show(job) if running is None else running.final
        assert view is not None, "the loop above ends with it"
        yield Update(view, self.analysers(), self._core.notices.since(seen), True)

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

    def _note_ended(self, command: JobEnded) -> None:
        if command.job < 0:
            self._asks.note_ended(command)
            return
        running = self._running[command.job]
        running.is_ending = True
        self._tasks.spawn(self._finish(running, command))

    def _note_withdrawn(self, withdrawal: Withdrawal) -> None:
        running = self._running[withdrawal.job]
        withdrawals = (*running.record.withdrawals, withdrawal)
        running.record = replace(running.record, withdrawals=withdrawals)

    def _note_broken(self, error: StoreError) -> None:
        self._core.warn(str(error))
        for running in self._running.values():
            running.error = str(error)

    async def _finish(self, running: RunningJob, ended: JobEnded) -> None:
        """Store how a job ended, then tell those who watch."""
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
