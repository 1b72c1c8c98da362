"""A master over the real protocol whose every word a test chooses."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import TypeVar

from analyser.agent import Agent
from engine_ext.control import RunControl
from engine_ext.noop.question import noop_question
from engine_ext.services import answer, trial_runner
from protocol.aio import Link, memory_pair
from protocol.events import LinkEvent, MessageReceived
from protocol.messages import (
    RESULT_TYPES,
    VERSION,
    Ack,
    AnalyserHello,
    Answer,
    Done,
    MasterHello,
    Message,
    PartRequest,
    PartResult,
    Question,
    Ready,
    Search,
    Trial,
    Trials,
    context_digest,
)
from protocol.session import MasterSession
from protocol.sides import MasterSide

NOOP = "noop/1 alternatives=1 rounds=0"
ENDLESS = "noop/1 alternatives=1 rounds=1000000000000"
QUESTION = noop_question(rounds=1000, number=5)
ENDLESS_QUESTION = noop_question(rounds=10**12)

WAIT_S_MAX = 20.0

M = TypeVar("M", bound=Message)


class LeftError(Exception):
    """The connection ended while more was expected."""


class DrivenMaster:
    def __init__(self, link: Link, session: MasterSession, name: str = "alice") -> None:
        self.link = link
        self.session = session
        self.name = name
        self._events: deque[LinkEvent] = deque()

    @classmethod
    def of(
        cls, agent: Agent, name: str = "alice", session: MasterSession | None = None
    ) -> "DrivenMaster":
        """Link a master to an agent of this process."""
        session = MasterSession("s1") if session is None else session
        link, analyser_link = memory_pair(MasterSide(session), agent.make_side())
        master = cls(link, session, name)
        master.serving = asyncio.create_task(agent.serve(analyser_link))
        return master

    serving: "asyncio.Task[None]"

    async def next(self) -> LinkEvent:
        if not self._events:
            async with asyncio.timeout(WAIT_S_MAX):
                self._events.extend(await self.link.events())
        if not self._events:
            raise LeftError("the link is closed")
        return self._events.popleft()

    async def hear(self, kind: type[M]) -> M:
        """Wait for a message of a kind; what comes before it is dropped."""
        while True:
            event = await self.next()
            if not isinstance(event, MessageReceived):
                raise LeftError(str(event))
            if isinstance(event.message, kind):
                return event.message

    async def begin(self) -> AnalyserHello:
        """Go through the handshake; return the greeting."""
        greeting = await self.send_hello()
        await self.hear(Ready)
        return greeting

    async def send_hello(self) -> AnalyserHello:
        greeting = await self.hear(AnalyserHello)
        session = self.session
        self.link.send(
            MasterHello(
                version=VERSION,
                name=self.name,
                session=session.name,
                received=session.received,
            )
        )
        return greeting

    def ask(
        self, part: int, count: int = 1, context: str = NOOP, first_seq: int = 0, attempt: int = 0
    ) -> Trials:
        request = Trials(
            part=part, attempt=attempt, first_seq=first_seq, count=count, context=context
        )
        self.link.send(request)
        return request

    def wonder(
        self, part: int, question: str = QUESTION, *, urgent: bool = False, attempt: int = 0
    ) -> Question:
        """Ask a question."""
        request = Question(
            service="analyse", part=part, attempt=attempt, context=question, urgent=urgent
        )
        self.link.send(request)
        return request

    def search(self, search: Search) -> Search:
        """Hand out a part of a search."""
        self.link.send(search)
        return search

    async def results(self, count: int) -> list[PartResult]:
        """Wait for that many results."""
        found: list[PartResult] = []
        while len(found) < count:
            event = await self.next()
            if not isinstance(event, MessageReceived):
                raise LeftError(str(event))
            if isinstance(event.message, RESULT_TYPES):
                found.append(event.message)
        return found

    def ack(self) -> None:
        self.link.send(Ack(count=self.session.received))


def expected(request: PartRequest) -> list[PartResult]:
    """What a part's results must be, computed in one go."""
    if isinstance(request, Trials):
        return _expected_trials(request)
    part, attempt, digest = request.part, request.attempt, context_digest(request.context)
    text = answer(request.context, RunControl())
    assert text is not None
    return [
        Answer(part=part, attempt=attempt, text=text),
        Done(part=part, attempt=attempt, context_digest=digest, count=1),
    ]


def _expected_trials(request: Trials) -> list[PartResult]:
    runner = trial_runner(request.context)
    values = runner.run(request.first_seq, request.count, RunControl())
    part, attempt, count = request.part, request.attempt, request.count
    trials: list[PartResult] = [
        Trial(part=part, attempt=attempt, seq=seq, values=trial)
        for seq, trial in enumerate(values, request.first_seq)
    ]
    digest = runner.digest
    return [*trials, Done(part=part, attempt=attempt, context_digest=digest, count=count)]


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something that can only be looked at."""
    async with asyncio.timeout(WAIT_S_MAX):
        while not is_so():  # noqa: ASYNC110  # nothing tells when
            await asyncio.sleep(0)


def by_part(results: Iterable[PartResult]) -> dict[int, list[PartResult]]:
    """Split results of several parts, each in its order."""
    split: dict[int, list[PartResult]] = {}
    for result in results:
        split.setdefault(result.part, []).append(result)
    return split
