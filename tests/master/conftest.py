"""Fakes that the master's tests share: analysers in this process, over real bytes."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import pytest

from engine_ext.control import RunControl
from engine_ext.services import answer, engine_digest, game_services, trial_runner
from master.service import judging
from master.service.service import MasterService
from protocol.aio import Link, memory_pair
from protocol.events import MessageReceived
from protocol.messages import (
    REQUEST_TYPES,
    Ack,
    AnalyserHello,
    Answer,
    Done,
    Engine,
    MasterHello,
    Message,
    PartRequest,
    Progress,
    Ready,
    Stop,
    Stopped,
    Trial,
    Trials,
    context_digest,
)
from protocol.sides import AnalyserSide
from tests.master.service import judged_child

Answering = Callable[[PartRequest], list[Message]]


def honest_answer(request: PartRequest) -> list[Message]:
    """Compute a part truly."""
    if not isinstance(request, Trials):
        return answered(request, answer(request.context, RunControl()) or "")
    runner = trial_runner(request.context)
    values = runner.run(request.first_seq, request.count, RunControl())
    part, attempt = request.part, request.attempt
    results: list[Message] = [
        Trial(part=part, attempt=attempt, seq=seq, values=trial)
        for seq, trial in enumerate(values, request.first_seq)
    ]
    done = Done(part=part, attempt=attempt, context_digest=runner.digest, count=len(values))
    return [*results, done]


def answered(request: PartRequest, text: str) -> list[Message]:
    """Answer a question with a text."""
    part, attempt, digest = request.part, request.attempt, context_digest(request.context)
    done = Done(part=part, attempt=attempt, context_digest=digest, count=1)
    return [Answer(part=part, attempt=attempt, text=text), done]


class FakeAnalyser:
    """An analyser that answers each part at once, by a function that a test may choose."""

    def __init__(
        self,
        name: str = "fake",
        answer: Answering = honest_answer,
        workers: int = 1,
        games: tuple[str, ...] = ("noop",),
    ):
        hello = AnalyserHello(name=name, cores=1, games=games)
        self.games = games
        self.side = AnalyserSide(hello)
        self.answer = answer
        self.workers = workers
        self.acked = 0
        self.sent = 0
        self.services: tuple[str, ...] = ("trials", "moves", "analyse")
        self.requests: list[PartRequest] = []
        self.request_came = asyncio.Event()
        self.link: Link
        self._task: asyncio.Task[None]

    def join(self, service: MasterService, address: str = "") -> "FakeAnalyser":
        """Connect to a service."""
        master_link, self.link = memory_pair(service.new_side(), self.side)
        service.add_link(master_link, address=address)
        self._task = asyncio.create_task(self._run())
        return self

    async def leave(self, reason: str = "") -> None:
        """Say good-bye."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        await self.link.aclose(reason)

    def die(self) -> None:
        """Vanish as a killed process does."""
        self._task.cancel()
        self.link.abort()

    async def _run(self) -> None:
        async for event in self.link:
            if isinstance(event, MessageReceived):
                self._receive(event.message)

    def _receive(self, message: Message) -> None:
        if isinstance(message, MasterHello):
            for game in self.games:
                digest = engine_digest(game)
                services = self.services if game == "noop" else game_services(game)
                engine = Engine(game=game, digest=digest, power=1000.0, services=services)
                self.link.send(engine)
            self.link.send(Ready(workers=self.workers))
        elif isinstance(message, REQUEST_TYPES):
            self.requests.append(message)
            answers = self.answer(message)
            self.sent += sum(not isinstance(answer, Progress) for answer in answers)
            self.link.send(*answers)
            self.request_came.set()
        elif isinstance(message, Stop):
            self._stop(message)
        elif isinstance(message, Ack):
            self.acked = message.count

    def _stop(self, message: Stop) -> None:
        key = (message.part, message.attempt)
        if key in self.side.session.outstanding:
            request = next(r for r in self.requests if (r.part, r.attempt) == key)
            digest = context_digest(request.context)
            stopped = Stopped(part=key[0], attempt=key[1], context_digest=digest, count=0)
            self.link.send(stopped)


@pytest.fixture
def fake_analyser() -> type[FakeAnalyser]:
    """The class; a fixture, since test modules cannot import each other."""
    return FakeAnalyser


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have what a master repeats in a child process end in a given way; see judged_child."""

    def ends_so(deed: str) -> None:
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        argv = judged_child.argv(deed, engine_digest("noop"))
        monkeypatch.setattr(judging, "child_argv", lambda: argv)

    return ends_so


@pytest.fixture
def honest() -> Answering:
    """The true answer to a part."""
    return honest_answer


@pytest.fixture
def answer_with() -> Callable[[PartRequest, str], list[Message]]:
    """The lines that answer a question with a text."""
    return answered


@pytest.fixture
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MasterService]:
    """A master on a new state directory."""
    async with MasterService(tmp_path_factory.mktemp("state")) as service:
        yield service
