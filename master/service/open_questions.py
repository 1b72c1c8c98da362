"""Questions in progress: the calls that wait for them, known answers, and answers to be kept.

A call becomes jobs of the scheduler, one for each kind of question, and their answers become the
call's.

An answer goes out to every call that waits for it as soon as it is known, from any of the jobs.
Until it is durable it is remembered here: a call that comes in between finds it too.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine_ext import services
from master.contract.commands import CorrectAnswer, JobEnded, StoppedBy, StoreAnswer
from master.contract.errors import MasterError
from master.contract.events import AnswerKnown, JobHalted, JobSpec, JobSubmitted
from master.contract.goals import Goal
from master.contract.job_words import JOB_MAX, Priority
from master.contract.questions import (
    QUESTIONS_MAX,
    QuestionError,
    QuestionKind,
    Sorted,
    question_digest,
    sort_questions,
)
from master.service.core import Core
from master.store.answers import AnswerRow
from master.store.errors import StoreError
from master.store.store import Store

OnAnswer = Callable[[int, str], None]

OPEN_JOBS_MAX = 1_024
"""Every event goes through all of them; a match's decisions asked singly fit."""

ENDING = "the master is ending; nothing more is asked"


@dataclass(eq=False)
class _QuestionCall:
    """One call of `ask`: its questions, and the answers that have come."""

    sorted: Sorted
    on_answer: OnAnswer | None
    answers: dict[str, str] = field(default_factory=dict)
    jobs: list["_OpenJob"] = field(default_factory=list)
    error: BaseException | None = None

    def receive(self, text: str, answer: str) -> None:
        """Take an answer in; an error of the caller's function ends the call."""
        if self.answers.get(text) == answer:
            return
        self.answers[text] = answer
        if self.on_answer is None or self.error is not None:
            return
        try:
            for index in self.sorted.indexes[text]:
                self.on_answer(index, answer)
        except Exception as error:  # it is the caller's, and goes back to the caller
            self.error = error
            for job in self.jobs:
                job.end(error)


@dataclass(eq=False)
class _OpenJob:
    """One job of the scheduler."""

    number: int
    call: _QuestionCall
    kind: QuestionKind
    questions: tuple[str, ...]
    ended: asyncio.Future[None]

    def end(self, error: BaseException | None) -> None:
        """Let the call go on, or end with an error."""
        if self.ended.done():
            return
        if error is None:
            self.ended.set_result(None)
        else:
            self.ended.set_exception(error)


class OpenQuestions:
    """All calls of `ask` that are going on."""

    def __init__(self, core: Core, store: Store) -> None:
        """Start with none; `record_end` is to be called for each of their jobs."""
        self._core = core
        self._store = store
        self._jobs: dict[int, _OpenJob] = {}
        self._waiting: dict[str, list[tuple[_OpenJob, int]]] = {}
        self._last_job = JOB_MAX  # numbers of stored jobs stay below
        self._starting = asyncio.Lock()
        self._answered = 0
        self._refusal: str = ""
        self._fresh: dict[str, str] = {}  # answers that may not be durable yet
        self._fresh_tickets: deque[tuple[int, str]] = deque()
        core.listen_to_answers(self._on_answer)

    @property
    def waiting_count(self) -> int:
        """Questions with a waiting caller."""
        return len(self._waiting)

    def status_line(self) -> str:
        """Return the state of the questions, for people."""
        return f"questions: {self.waiting_count} wait, {self._answered} were answered by analysers"

    async def ask(
        self, questions: Sequence[str], priority: Priority, on_answer: OnAnswer | None
    ) -> list[str]:
        """Return the answers in the order of the questions; see Master.ask."""
        self._check_room(0)
        # An answer is fresh until it is durable; it may come, or become durable, during the query.
        fresh = {text: self._fresh[text] for text in questions if text in self._fresh}
        known, kept = await asyncio.to_thread(self._find, questions)
        call = _QuestionCall(known, on_answer)
        try:
            for text in known.indexes:
                answer = self._fresh.get(text) or fresh.get(text) or kept.get(text)
                if answer is not None:
                    call.receive(text, answer)
            async with self._starting:  # each hands much out: others of the loop go in between
                if call.error is None:
                    self._start(call, priority)
                await asyncio.sleep(0)
            for job in call.jobs:
                await job.ended
            if call.error is not None:
                raise call.error
        finally:
            self._leave(call)
        return [call.answers[text] for text in questions]

    def _find(self, questions: Sequence[str]) -> tuple[Sorted, dict[str, str]]:
        """Return the questions sorted, and the answers that are kept. Blocks."""
        known = sort_questions(questions)
        return known, self._kept([text for text, kind in known.kinds.items() if kind.is_kept])

    def _kept(self, texts: list[str]) -> dict[str, str]:
        try:
            known = self._store.known(texts)
        except StoreError as error:
            self._core.warn_soon(f"kept answers are not used: {error}")
            return {}
        if known.warning:
            self._core.warn_soon(known.warning)
        self._core.record_used(known.to_note)
        return known.answers

    def _check_room(self, count: int) -> None:
        if self._refusal:
            raise MasterError(self._refusal)
        if self.waiting_count + count > QUESTIONS_MAX or len(self._jobs) >= OPEN_JOBS_MAX:
            raise MasterError(
                f"{self.waiting_count} questions of {len(self._jobs)} jobs wait for their answers; "
                f"at most {QUESTIONS_MAX} of {OPEN_JOBS_MAX} may"
            )

    def _start(self, call: _QuestionCall, priority: Priority) -> None:
        """Ask the unknown questions, in jobs of one kind each, in order of their first question."""
        groups: dict[QuestionKind, list[str]] = {}
        missing = [text for text in call.sorted.indexes if text not in call.answers]
        self._check_room(len(missing))
        for text in missing:
            groups.setdefault(call.sorted.kinds[text], []).append(text)
        loop = asyncio.get_running_loop()
        for kind, texts in groups.items():
            self._last_job += 1
            job = _OpenJob(self._last_job, call, kind, tuple(texts), loop.create_future())
            call.jobs.append(job)
            self._jobs[job.number] = job
            for seq, text in enumerate(texts):
                self._waiting.setdefault(text, []).append((job, seq))
        for job in call.jobs:
            self._core.feed(JobSubmitted(_to_spec(job, priority)))

    def _leave(self, call: _QuestionCall) -> None:
        """Stop the unanswered questions of a call: it was cancelled, or failed."""
        call.on_answer = None
        for job in call.jobs:
            if not job.ended.cancel() and not job.ended.cancelled():
                job.ended.exception()  # looked at: the call ends with the first of them
            if job.number in self._jobs:
                self._core.feed(JobHalted(job.number))

    # The scheduler's commands.

    def _on_answer(self, command: StoreAnswer | CorrectAnswer) -> None:
        """Pass an answer on to all calls that wait for it, and keep it."""
        job = self._jobs[command.job]
        text, answer = job.questions[command.seq], command.text
        self._answered += 1
        if job.kind.is_kept:
            name = self._core.name_of(command.analyser)
            row = AnswerRow(question_digest(text), job.kind.engine, answer, name)
            self._remember(text, answer, self._core.store_answer(row))
        job.call.receive(text, answer)
        for other, seq in self._waiting.pop(text, ()):
            if other is not job:
                other.call.receive(text, answer)
                event = AnswerKnown(other.number, seq, answer)
                asyncio.get_running_loop().call_soon(self._core.feed, event)

    def _remember(self, text: str, answer: str, ticket: int) -> None:
        self._fresh[text] = answer
        self._fresh_tickets.append((ticket, text))
        stored = self._core.stored_ticket()
        while self._fresh_tickets and self._fresh_tickets[0][0] <= stored:
            self._fresh.pop(self._fresh_tickets.popleft()[1], None)

    def record_end(self, command: JobEnded) -> None:
        """Let the call of a job go on."""
        job = self._jobs.pop(command.job)
        self._core.scheduler.forget(job.number)
        for seq, text in enumerate(job.questions):
            left = [other for other in self._waiting.get(text, ()) if other != (job, seq)]
            if left:
                self._waiting[text] = left
            else:
                self._waiting.pop(text, None)
        if command.stopped_by is StoppedBy.TRIALS:
            job.end(None)
        elif command.seq is not None:
            index = job.call.sorted.indexes[job.questions[command.seq]][0]
            job.end(QuestionError(index, command.text))
        else:
            job.end(MasterError(self._refusal or command.text or "the questions were stopped"))

    def stop(self, error: MasterError | None = None) -> None:
        """End all calls with an error."""
        for job in list(self._jobs.values()):
            job.end(error or MasterError(ENDING))
            self._core.feed(JobHalted(job.number))

    def close(self) -> None:
        """End all calls and take no further one."""
        self._refusal = ENDING
        self.stop()


def _to_spec(job: _OpenJob, priority: Priority) -> JobSpec:
    kind = job.kind
    return JobSpec(
        job=job.number,
        context="",
        game=kind.game,
        engine=kind.engine,
        engine_name=_engine_name(kind.game, kind.engine),
        alternative_count=1,
        value_count=1,
        goal=Goal(len(job.questions)),
        questions=job.questions,
        service=kind.service,
        priority=priority,
        work=kind.work,
    )


def _engine_name(game: str, digest: str) -> str:
    """Return an engine's name for people, if it is one that this process uses."""
    name = services.engine_name(game)
    return name if name and services.engine_digest(game) == digest else ""
