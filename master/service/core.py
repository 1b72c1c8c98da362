"""The pure scheduler's shell: it feeds events, carries out commands, and stores results.

It decides nothing: commands come from the scheduler, and the times of acknowledgements from the
writer.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from master.contract.commands import (
    AttemptConfirmed,
    AttemptOpened,
    Command,
    CorrectAnswer,
    CorrectTrial,
    HandOut,
    Incident,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoreAnswer,
    StoreTrials,
    Unsuited,
    Withdrawn,
    WithdrawTrials,
)
from master.contract.events import AnalyserReady, Event, JobHalted, Tick, TrialValues
from master.contract.reading import Work
from master.contract.views import Notice, NoticeKind
from master.scheduler import Scheduler, SchedulerOptions
from master.service.analysers.incident_book import NAMES_MAX, IncidentBook
from master.service.analysers.sessions import Session, SessionEvent, SessionTable
from master.service.job_records import NoticeBoard
from master.service.judging import no_judge
from master.store.answers import AnswerRow
from master.store.errors import StoreError
from master.store.records import StoredSearch
from master.store.runs import RUN_TRIALS_MAX, TrialRun
from master.store.unconfirmed import AttemptKey, SeqSpan, Withdrawal
from master.store.writer import GroupWriter, Ticket
from protocol.aio.timer import Timer

T = TypeVar("T")
WARNED_MAX = 1_000
"""Different lines about analysers that cannot be asked; a fleet has fewer."""


def _post(loop: asyncio.AbstractEventLoop, method: Callable[[T], None], value: T) -> None:
    """Call a method in the loop's thread, from the writer's."""
    loop.call_soon_threadsafe(method, value)


class Core:
    """One scheduler with everything its commands need.

    `on_ended` is called for each JobEnded; `on_store_failed` when trials cannot be stored: by then
    every job of trials has been halted, and nothing is acknowledged any more.
    """

    def __init__(
        self,
        path: Path,
        sessions: SessionTable,
        options: SchedulerOptions,
        on_ended: Callable[[JobEnded], None],
        on_store_failed: Callable[[StoreError], None],
        on_notice: Callable[[Notice], None] | None = None,
        on_withdrawn: Callable[[Withdrawal], None] = lambda withdrawal: None,
    ) -> None:
        """Start with no jobs.

        Raises:
            StoreError: the database cannot be opened for writing.
        """
        self.scheduler = Scheduler(options)
        self.sessions = sessions
        sessions.listen(self._on_session)
        self.notices = NoticeBoard(on_notice)
        self.incidents = IncidentBook()
        self._names: dict[int, str] = {}  # of sessions
        self._loop = asyncio.get_running_loop()
        self._on_store_failed = on_store_failed
        self._on_withdrawn = on_withdrawn
        self._stored: Ticket = 0
        self._waiting: list[tuple[Ticket, asyncio.Future[bool]]] = []
        self._timer = Timer(self._loop, self._tick)
        self._runs: list[tuple[int, TrialRun]] = []
        self._run: list[TrialValues] = []  # of the last of them
        self._run_end = (0, 0)  # its job, and the trial behind it
        self._marks: dict[AttemptKey, SeqSpan | None] = {}
        self._has_failed = False
        self._starting_anew: asyncio.Future[None] | None = None
        self._warned: set[str] = set()
        self._are_answers_lost = False
        self._writer = GroupWriter(
            path,
            lambda ticket: _post(self._loop, self._on_stored, ticket),
            lambda error: _post(self._loop, self._on_failed, error),
            lambda error: _post(self._loop, self._on_answers_lost, error),
        )
        self._actions: dict[type[Command], Callable[..., Event | None]] = {
            HandOut: sessions.hand_out,
            StopPart: sessions.stop_part,
            Quarantine: self._quarantine,
            StoreTrials: self._store_trials,
            AttemptOpened: self._mark_opened,
            AttemptConfirmed: self._mark_confirmed,
            WithdrawTrials: self._withdraw_trials,
            Withdrawn: self._record_withdrawn,
            CorrectTrial: self._correct_trial,
            JobEnded: on_ended,
            JudgeHere: no_judge,
            Unsuited: self._show_unsuited,
            Incident: self._show_incident,
        }

    # For the analyser handler and the service.

    def feed(self, *events: Event) -> None:
        """Give the scheduler events and carry out its commands, in order."""
        actions = self._actions
        for command in self.scheduler.handle_all(events, self._loop.time()):
            event = actions[type(command)](command)
            if event is not None:  # a part that could not be sent
                self._loop.call_soon(self.feed, event)
        self._store_runs()
        self._set_timer()

    def receive(self, session: Session, work: Sequence[Work]) -> None:
        """Give the scheduler an analyser's replies about its parts."""
        self.feed(*work)

    def settle(self, session: Session) -> None:
        """Acknowledge a session's results as far as they are durable, at the end of a turn."""
        session.marks.record(session.delivery.received, self._writer.last_ticket)
        session.acknowledge(self._stored)

    def _store_runs(self) -> None:
        """Pass new results on to the writer: once for all events of a turn of the loop."""
        if self._runs or self._marks:
            self._writer.add_runs(self._runs, self._marks)
            self._runs, self._marks = [], {}

    def warn(self, text: str) -> None:
        """Show people a line."""
        self.notices.put(Notice(NoticeKind.WARNING, text))

    def listen_to_answers(self, on_answer: Callable[[StoreAnswer | CorrectAnswer], None]) -> None:
        """Have a function called for each answer that comes; no job of questions comes before."""
        self._actions[StoreAnswer] = self._actions[CorrectAnswer] = on_answer

    def use_judge(self, take: Callable[[JudgeHere], None]) -> None:
        """Have a function called with each unit that is to be repeated here."""
        self._actions[JudgeHere] = take

    def warn_soon(self, text: str) -> None:
        """Show people a line, from any thread."""
        _post(self._loop, self.warn, text)

    def store_answer(self, row: AnswerRow) -> Ticket:
        """Keep an answer; return the ticket of its storing."""
        return self._writer.add_answer(row)

    def name_of(self, analyser: int) -> str:
        """Return the name of a session's analyser, which may have gone; empty: long ago."""
        return self._names.get(analyser, "")

    def record_used(self, digests: Sequence[bytes]) -> None:
        """Record that kept answers were used; from any thread."""
        if digests:
            self._writer.record_used(digests)

    def stored_ticket(self) -> Ticket:
        """Return the ticket up to which everything is durable."""
        return self._stored

    async def store_snapshot(self, job: int, folded: int, snapshot: str) -> bool:
        """Store a fold's snapshot and all that came before it; return whether that worked."""
        if self._has_failed:
            return False
        self._store_runs()
        return await self._until_stored(self._writer.add_snapshot(job, folded, snapshot))

    def keep_search(self, job: int, search: StoredSearch) -> None:
        """Store the state of a search, soon."""
        if not self._has_failed:
            self._writer.add_search(job, search)

    async def store_search(self, job: int, search: StoredSearch) -> bool:
        """Store the state of a search; return whether that worked."""
        if self._has_failed:
            return False
        return await self._until_stored(self._writer.add_search(job, search))

    async def _until_stored(self, ticket: Ticket) -> bool:
        self._writer.flush()
        stored: asyncio.Future[bool] = self._loop.create_future()
        self._waiting.append((ticket, stored))
        return await stored

    async def close(self) -> None:
        """Close all links, store the queued results, and close the database."""
        self._timer.close()
        await self.sessions.close("the master leaves")
        await asyncio.to_thread(self._writer.close)
        await asyncio.sleep(0)  # lets the writer's last reports arrive

    # Commands.

    def _on_session(self, session: Session, event: SessionEvent | None) -> None:
        if isinstance(event, AnalyserReady):
            self._names[session.number] = session.name
            if len(self._names) > NAMES_MAX:
                del self._names[next(iter(self._names))]
        if event is not None:
            self.feed(event)

    def _store_trials(self, command: StoreTrials) -> None:
        """Keep results for the writer; a run that goes on where the last one ended joins it."""
        if self._has_failed:
            return
        job, first = command.job, command.first_seq
        run = self._run
        if self._runs and self._run_end == (job, first) and len(run) < RUN_TRIALS_MAX:
            run += command.values
        else:
            self._run = list(command.values)
            self._runs.append((job, TrialRun(first, self._run)))
        self._run_end = (job, first + len(command.values))

    def _mark_opened(self, command: AttemptOpened) -> None:
        if not self._has_failed:
            attempt = AttemptKey(command.job, command.part, command.attempt)
            self._marks[attempt] = (command.first_seq, command.end_seq)

    def _mark_confirmed(self, command: AttemptConfirmed) -> None:
        if not self._has_failed:
            self._marks[AttemptKey(command.job, command.part, command.attempt)] = None

    def _withdraw_trials(self, command: WithdrawTrials) -> None:
        self._store_runs()
        if not self._has_failed:
            self._writer.add_withdrawal(command.job, command.ranges)

    def _record_withdrawn(self, command: Withdrawn) -> None:
        """Keep a withdrawal in a job of trials; in one of questions nothing is kept."""
        if self._has_failed or self.scheduler.has_questions(command.job):
            return
        withdrawal = Withdrawal(command.job, command.name, command.count, command.text)
        self._writer.add_caught(withdrawal)
        self._on_withdrawn(withdrawal)

    def _correct_trial(self, command: CorrectTrial) -> None:
        self._store_runs()
        if not self._has_failed:
            self._writer.add_correction(command.job, command.seq, command.values)

    def _quarantine(self, command: Quarantine) -> None:
        session = self.sessions.get(command.analyser)
        place = f" ({session.endpoint.address})" if session is not None else ""
        self.warn(f"{command.text}: this analyser{place} is refused from now on")
        self.sessions.quarantine(command)

    def _show_unsuited(self, command: Unsuited) -> None:
        """Say it once for each job of trials, and once for all questions."""
        if self.scheduler.has_questions(command.job):
            if command.text in self._warned or len(self._warned) >= WARNED_MAX:
                return
            self._warned.add(command.text)
        self.warn(command.text)

    def _show_incident(self, command: Incident) -> None:
        self.notices.put(Notice(NoticeKind.INCIDENT, command.text))
        name = self._names.get(-1 if command.analyser is None else command.analyser)
        if name is not None:
            at = datetime.now(UTC).isoformat(timespec="seconds")
            self.incidents.record(name, command.kind, command.text, at)

    # Time and the store.

    def _set_timer(self) -> None:
        """Ask for a tick at the scheduler's deadline; a timer that comes too early asks again."""
        deadline = self.scheduler.next_deadline
        if deadline is not None:
            self._timer.set(deadline)

    def _tick(self) -> None:
        deadline = self.scheduler.next_deadline
        if deadline is not None and deadline > self._loop.time():
            self._set_timer()
        else:
            self.feed(Tick())

    def _on_stored(self, ticket: Ticket) -> None:
        self._stored = ticket
        self.sessions.acknowledge(ticket)
        self._release(ticket, True)

    def _release(self, ticket: Ticket, is_stored: bool) -> None:
        due = [waiting for waiting in self._waiting if waiting[0] <= ticket]
        self._waiting = [waiting for waiting in self._waiting if waiting[0] > ticket]
        for _, future in due:
            if not future.done():
                future.set_result(is_stored)

    def _on_answers_lost(self, error: StoreError) -> None:
        """Warn once: clients have the answers, which are only asked again next time."""
        if not self._are_answers_lost:
            self._are_answers_lost = True
            self.warn(f"answers are not kept: {error}")

    def _on_failed(self, error: StoreError) -> None:
        """Halt all jobs of trials: trials not stored are computed again after a resume."""
        self._has_failed = True
        self._on_store_failed(error)
        for job in self.scheduler.jobs():
            if not (job.is_ended or self.scheduler.has_questions(job.job)):
                self.feed(JobHalted(job.job))
        self._release(self._writer.last_ticket, False)
        self._starting_anew = asyncio.ensure_future(self._start_anew(str(error)))

    async def _start_anew(self, reason: str) -> None:
        """Cut all links, so that results never stored are never acknowledged; then store again."""
        await self.sessions.drop_all(reason)
        self._writer.reset()
        self._marks.clear()
        self._has_failed = False
