"""The master as one object: the command line composes it, and the daemon serves it.

It passes wishes on to the scheduler's shell and shows their results. It is one form of `Master`
(master.contract.master), a client of a control socket the other: a caller need not care which of
the two it holds.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from engine_ext.validation import answer_fault
from master.config.fleet_list import FleetEntry
from master.contract.commands import JobEnded
from master.contract.errors import MasterError, NoAnalyserError
from master.contract.job_words import Priority
from master.contract.search_views import SearchTreeView
from master.contract.views import (
    UPDATE_INTERVAL_S,
    AnalyserLine,
    Figures,
    JobConvergence,
    JobFlow,
    JobRequest,
    JobView,
    Notice,
    Update,
)
from master.scheduler import SchedulerOptions
from master.search.running.search_sessions import JOB_PARTS, SEARCH_PARTS
from master.search.running.status import SearchStatus
from master.search.running.task import SearchTask
from master.service.analysers.analyser_handler import AnalyserHandler, Receivers, RoundTrips, Route
from master.service.analysers.dialler import Dialler
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import SessionLog, SessionTable
from master.service.background_tasks import BackgroundTasks
from master.service.convergences import JobConvergences
from master.service.core import Core
from master.service.judging import Judge, analyser_argv
from master.service.open_questions import OnAnswer, OpenQuestions
from master.service.running_jobs import RunningJobs
from master.service.searches import Searches
from master.service.showing import analyser_lines, durability_line, figures, status_lines
from master.service.state_guard import StateGuard
from master.store.errors import StateLostError, StoreError
from master.store.records import RunsIn
from master.store.store import Store
from master.store.unconfirmed import Withdrawal
from master.timeline.turns import LiveSearches
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.aio import Link, open_command
from protocol.aio.reasons import reason_of
from protocol.guards.access_control import AccessControl
from protocol.sides import MasterSide

CHECK_S = 0.5
"""Between two checks: half a second of a minute is not noticed."""

START_S_MIN = 5.0
"""However short the wait: links are dialled, and lost ones again, sooner."""

REFUSED = ("quarantined", "unsuited")
"""States of analysers that no waiting ends."""

NAMED_MAX = 3
"""Analysers that are named in the one line; there may be a thousand."""


class Patience:
    """Notices that nothing has been computed for too long, for want of an analyser."""

    def __init__(self, wait_s: float) -> None:
        """Start with nothing seen; math.inf waits for ever."""
        self.wait_s = wait_s
        self._bound_s = max(wait_s, START_S_MIN)
        self._since = math.inf

    def is_over(self, *, is_served: bool, now: float, is_hopeless: bool = False) -> bool:
        """Take in the present state; say whether the wait is over.

        Args:
            is_served: a part is computed, or nothing waits.
            now: seconds.
            is_hopeless: no analyser will come, however long its link takes.
        """
        self._since = math.inf if is_served else min(self._since, now)
        self._bound_s = self.wait_s if is_hopeless else max(self.wait_s, START_S_MIN)
        is_over = now - self._since >= self._bound_s
        if is_over:
            self._since = math.inf
        return is_over

    def text(self, lines: Sequence[AnalyserLine]) -> str:
        """Return why nothing goes on, for people."""
        shown = [_shown(line) for line in lines[:NAMED_MAX]]
        if len(lines) > NAMED_MAX:
            shown.append(f"{len(lines) - NAMED_MAX} more")
        named = "; ".join(shown) or "there is none"
        waited = f" for {self._bound_s:g} s" if self._bound_s else ""
        return f"no analyser could be used{waited} ({named})"


def is_computing(lines: Sequence[AnalyserLine]) -> bool:
    """Say whether an analyser has parts in hand, and does not stand still."""
    return any(line.parts > 0 and line.state in ("ready", "draining") for line in lines)


def are_hopeless(lines: Sequence[AnalyserLine]) -> bool:
    """Say whether there are analysers, all of them refused until a user changes something."""
    return bool(lines) and all(line.state in REFUSED for line in lines)


def _shown(line: AnalyserLine) -> str:
    why = line.text or (line.incidents[-1].text if line.incidents else "")
    if line.state == "ready" and not why:
        why = "it cannot compute this, or has nothing to do"
    state = {"suspect": "stands still"}.get(line.state, line.state)
    why = why.removeprefix(f"{state}: ")
    return f"{line.name} {state}{why and f': {why}'}"


class MasterService:
    """A master in this process. Use it as an async context manager."""

    is_elsewhere = False

    def __init__(
        self,
        state_dir: Path,
        name: str = "manyply",
        runs_in: RunsIn = RunsIn.COMMAND,
        options: SchedulerOptions | None = None,
        on_notice: Callable[[Notice], None] | None = None,
        access: Access = NOBODY_ELSE,
        local_port: int | None = None,
        watch: LiveSearches | None = None,
        on_state_lost: Callable[[], None] = lambda: None,
        wait_s: float = math.inf,
        log: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Prepare a master on a state directory; `async with` opens it.

        Args:
            state_dir: where jobs are kept.
            name: how it introduces itself to analysers.
            runs_in: the kind of this process.
            options: fixed part sizes, for benches.
            on_notice: called for each warning and incident, for a log.
            access: required of analysers that it dials, or that dial in.
            local_port: source port of links to those that it dials; None: any.
            watch: receives the messages of searches; jobs are logged by the log of `options`.
            on_state_lost: called once if the database is not in its place any more; then all jobs
                are being halted, and it is time to leave.
            wait_s: waiting work is ended with an error when no analyser could be used so long.
            log: called with a line when an analyser joins or leaves, or a job begins or ends.
        """
        self._log = log
        self._patience = Patience(wait_s)
        self._is_searching_here = False
        self.keeper = AccessControl(access, self._warn)
        self._state_dir = state_dir
        self._local_port = local_port
        self._name = name
        self._runs_in = runs_in
        self._options = replace(options or SchedulerOptions(), answer_fault=answer_fault)
        self._on_notice = on_notice
        self._watch = watch
        self._leave = on_state_lost
        self._diallers: list[Dialler] = []
        self._tasks = BackgroundTasks(self._on_task_died)
        self._store: Store
        self._guard: StateGuard
        self._core: Core
        self._judge: Judge
        self._open_questions: OpenQuestions
        self._running: RunningJobs
        self._searches: Searches
        self._convergences: JobConvergences
        self._analyser_handler: AnalyserHandler
        self._round_trips: RoundTrips

    async def __aenter__(self) -> Self:
        """Open the store; raises StoreError."""
        self._store = await asyncio.to_thread(Store, self._state_dir)
        sessions = SessionTable(self._name)
        self._session_log = SessionLog(sessions, self._log)
        try:
            self._core = Core(
                self._store.path,
                sessions,
                self._options,
                self._on_job_ended,
                self._on_store_broken,
                self._on_notice,
                self._on_withdrawn,
            )
        except StoreError:
            self._store.close()
            raise
        self._judge = Judge(self._tasks.spawn, self._core.feed)
        self._core.use_judge(self._judge.take)
        self._open_questions = OpenQuestions(self._core, self._store)
        self._searches = Searches(sessions, self._core.warn, self._watch, self._search_here)
        self._running = RunningJobs(
            self._core, self._store, self._searches, self._tasks, self._runs_in, self._log
        )
        self._convergences = JobConvergences(self._store)
        self._guard = StateGuard(self._store, self._on_state_lost)
        self._tasks.spawn(self._guard.watch())
        self._round_trips = RoundTrips(sessions)
        self._analyser_handler = AnalyserHandler(
            sessions,
            Receivers(
                self._searches.receive_entries,
                self._core.settle,
                self._core.warn,
                self._round_trips.receive,
            ),
            Route(JOB_PARTS, self._core.receive),
            Route(SEARCH_PARTS, self._searches.receive),
        )
        if self._patience.wait_s < math.inf:
            self._tasks.spawn(self._watch_patience())
        return self

    def _warn(self, text: str) -> None:
        self._core.warn(text)

    async def __aexit__(self, *ending: object) -> None:
        """Halt running jobs, store them, and leave.

        Raises:
            StateLostError: the database is not in its place; the text says where its content is.
        """
        await self.drain()
        await self._tasks.cancel()
        await self._core.close()
        is_lost = await self._guard.check()
        lost = await asyncio.to_thread(self._guard.save) if is_lost else None
        self._store.close()
        if lost is not None:
            raise lost

    def _on_state_lost(self, error: StateLostError) -> None:
        """Halt everything: later results could not be found any more."""
        self._core.warn(f"{error}: all jobs are halted")
        self._on_task_died(str(error))
        self._leave()

    # Analysers.

    def new_side(self) -> MasterSide:
        """Return the master's end of a new link within this machine."""
        return MasterSide()

    def add_link(self, link: Link, name: str = "", address: str = "") -> None:
        """Serve the analyser at the other end of a link, until it ends."""
        endpoint = Endpoint(name, address or link.peer or "local", is_ours=True)
        self._tasks.spawn(self._analyser_handler.serve(link, endpoint))

    async def serve_link(self, link: Link) -> None:
        """Serve an analyser that dialled in, until its connection ends."""
        reason = await self._analyser_handler.serve(
            link, Endpoint.inbound(link.peer, link.certificate)
        )
        self.keeper.note_end(link.peer, reason)

    async def add_analyser(self, entry: FleetEntry) -> str:
        """Keep an analyser of the fleet connected from now on.

        Returns:
            Once the first attempt is over: nothing when it is ready, else the reason; it is tried
            again all the same.
        """
        dialler = Dialler(
            entry, self._analyser_handler, self._core.warn, self.keeper.access, self._local_port
        )
        self._diallers.append(dialler)
        self._tasks.spawn(dialler.run())
        return await asyncio.shield(dialler.first_reason)

    def analysers(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name: those that work, and those of the fleet that do not."""
        self._round_trips.probe()
        return analyser_lines(self._core, self._endpoints(), self._searches.held())

    def _endpoints(self) -> list[Endpoint]:
        return [dialler.endpoint for dialler in self._diallers]

    @property
    def running_count(self) -> int:
        """How many jobs run here."""
        return self._running.count

    async def who(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name, as `analysers` does."""
        return self.analysers()

    async def status(self) -> list[str]:
        """Return how this master is, as lines for people."""
        return [
            f"master {self._name} on {self._state_dir}",
            f"jobs running: {self._running.count}",
            self._open_questions.status_line(),
            *status_lines(self._core, self._searches, self._endpoints()),
            f"refused: {self.keeper.summary() or 'nobody'}",
            durability_line(self._store.path),
        ]

    async def figures(self) -> Figures:
        """Return this master's state in numbers; MasterError: the store cannot be read."""
        jobs = await self._running.counted()
        return figures(self._core, self._searches, self._endpoints(), jobs)

    def _on_task_died(self, text: str) -> None:
        """Halt all jobs when a task dies of a bug: a wait must not become endless."""
        self._stop(MasterError(text))

    def _stop(self, error: MasterError) -> None:
        self._running.stop(str(error))
        self._open_questions.stop(error)
        self._searches.stop(str(error))

    # Waiting for analysers.

    async def _watch_patience(self) -> None:
        """End all that waits when there was no analyser for it for too long."""
        while True:
            await asyncio.sleep(CHECK_S)
            is_waiting = self._running.trials.count > 0 or self._open_questions.waiting_count > 0
            lines, now = self.analysers(), asyncio.get_running_loop().time()
            is_served = self._searches.is_served and (
                not is_waiting or self._judge.is_working or is_computing(lines)
            )
            is_hopeless = are_hopeless(lines)
            if self._patience.is_over(is_served=is_served, now=now, is_hopeless=is_hopeless):
                self._stop(NoAnalyserError(self._patience.text(lines)))

    def _search_here(self) -> bool:
        """Have an analyser of this machine search, as no other can do it any more."""
        if not self._is_searching_here:
            self._is_searching_here = True
            self._tasks.spawn(self._serve_own())
        return True

    async def _serve_own(self) -> None:
        """Serve an analyser of this machine until it ends."""
        self._warn("nobody else can be used: the search goes on on this machine")
        try:
            link = await open_command(analyser_argv("here"), self.new_side(), is_apart=True)
            await self._analyser_handler.serve(link, Endpoint("", "this machine", is_ours=True))
        except OSError as error:
            self._warn(f"no analyser can be started on this machine: {reason_of(error)}")
        finally:
            self._is_searching_here = False

    # Questions.

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: OnAnswer | None = None,
    ) -> list[str]:
        """Return the answers to questions, in their order."""
        return await self._open_questions.ask(questions, priority, on_answer)

    def search(self, task: SearchTask) -> AsyncGenerator[SearchStatus, None]:
        """Carry out one search of which nothing is stored; see Searches.search."""
        return self._searches.search(task)

    # Jobs.

    async def submit(self, request: JobRequest) -> int:
        """Store a job and start it; return its number; see RunningJobs, as below."""
        return await self._running.submit(request)

    async def resume(self, job: int) -> None:
        """Go on with a job."""
        await self._running.resume(job)

    async def extend(self, job: int, extra: int) -> None:
        """Add `extra` games of each alternative to a job, and go on with it."""
        await self._running.extend(job, extra)

    async def halt(self, job: int) -> None:
        """Stop a running job and wait until everything computed for it is stored."""
        await self._running.halt(job)

    async def prioritise(self, job: int, priority: Priority) -> None:
        """Put a running job of trials into the background, or back."""
        await self._running.prioritise(job, priority)

    async def forget(self, job: int) -> None:
        """Delete a job with all that is stored of it."""
        await self._running.forget(job)

    async def own_jobs(self) -> list[int]:
        """Return the jobs that a daemon on this directory was running when it ended."""
        return await self._running.own_jobs()

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        return await self._running.listed()

    async def show(self, job: int) -> JobView:
        """Return the view of a job, running or not."""
        return await self._running.show(job)

    async def convergence(self, job: int) -> JobConvergence:
        """Return the way of a job's means, running or not."""
        return await self._convergences.convergence(job)

    async def flow(self, job: int) -> JobFlow:
        """Return how results of a job came in; of one that did not run here nothing is known."""
        flow = self._running.trials.flow(job)
        if flow is None:
            await asyncio.to_thread(self._store.job, job)  # is there such a job?
        return flow or JobFlow()

    async def search_tree(self, job: int) -> SearchTreeView:
        """Return the top of a search's tree."""
        return await self._running.search_tree(job)

    def subscribe(self, job: int, interval_s: float = UPDATE_INTERVAL_S) -> AsyncIterator[Update]:
        """Yield views of a job, now and again, and once more at its end."""
        return self._running.subscribe(job, interval_s, self.analysers)

    async def drain(self) -> None:
        """Halt all jobs and wait until everything computed for them is stored; start no more.

        Questions are asked no more: their callers get an error at once.
        """
        self._session_log.close()
        self._open_questions.close()
        await self._running.drain()
        self._searches.close("the master is ending; nothing more is searched")

    def _on_job_ended(self, command: JobEnded) -> None:
        self._judge.forget(command.job)
        is_asked = self._core.scheduler.has_questions(command.job)
        whose = self._open_questions if is_asked else self._running.trials
        whose.record_end(command)

    def _on_store_broken(self, error: StoreError) -> None:
        self._running.fail_all(error)

    def _on_withdrawn(self, withdrawal: Withdrawal) -> None:
        self._running.trials.record_withdrawal(withdrawal)
