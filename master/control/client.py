"""A client of a master daemon's control socket: a `Master` that is elsewhere.

The daemon does the work, and goes on with it when the client leaves.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Self

from pydantic import ValidationError

from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.questions import QuestionError
from master.contract.views import UPDATE_INTERVAL_S, AnalyserLine, JobRequest, JobView, Update
from master.control.question_requests import QuestionRequests
from master.control.translation import from_analyser, from_shown, from_update, to_submit
from protocol.aio import Link, from_socket
from protocol.control import (
    CONTROL_MINOR_MIN,
    CONTROL_VERSION,
    PRIORITY_MINOR_MIN,
    SETTLED_MINOR_MIN,
    AnalyserShown,
    Attach,
    Control,
    Extend,
    Forget,
    Halt,
    Jobs,
    Ok,
    Prioritise,
    Refused,
    Request,
    Resume,
    Said,
    Show,
    StatusRequest,
    Updated,
    WhoRequest,
)
from protocol.events import LineRejected, MessageReceived
from protocol.messages import Error, Message
from protocol.sides.control import ControlSide

GREETING_S_MAX = 10.0
"""A master that is there greets at once, even a busy one."""


class MasterGoneError(MasterError):
    """There is no master at the control socket, or it has ended."""


def is_served(path: Path) -> bool:
    """Return whether a master listens on a control socket."""
    if not path.is_socket():
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(os.fspath(path)) == 0


class MasterClient:
    """A connection to a master. Use it as an async context manager."""

    is_elsewhere = True

    def __init__(self, path: Path) -> None:
        """Prepare a client of the master whose control socket is at `path`."""
        self._path = path
        self._link: Link
        self._reader: asyncio.Task[None]
        self._greeting: asyncio.Future[Control] = asyncio.get_running_loop().create_future()
        self._replies: dict[int, asyncio.Queue[Message | None]] = {}
        self._last_request = 0
        self._trouble = ""

    async def __aenter__(self) -> Self:
        """Connect.

        Raises:
            MasterGoneError: no master answers there.
        """
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(sock, os.fspath(self._path))
        except OSError as error:
            sock.close()
            reason = error.strerror or str(error)
            raise MasterGoneError(f"no master answers at {self._path}: {reason}") from None
        self._link = await from_socket(sock, ControlSide())
        self._reader = asyncio.create_task(self._read())
        try:
            async with asyncio.timeout(GREETING_S_MAX):
                greeting = await asyncio.shield(self._greeting)
            self._check_version(greeting.version)
        except TimeoutError:
            await self._close()
            raise MasterGoneError(f"the master at {self._path} does not greet") from None
        except MasterError:
            await self._close()
            raise
        return self

    def _check_version(self, version: str) -> None:
        """Refuse a master whose replies would be misunderstood."""
        major = version.partition(".")[0]
        own_major = CONTROL_VERSION.partition(".")[0]
        if major != own_major or _minor(version) < CONTROL_MINOR_MIN:
            raise MasterError(
                f"the master at {self._path} speaks version {version} of the control protocol: "
                f"expected {own_major}.{CONTROL_MINOR_MIN} or a later {own_major}.x; restart it"
            )

    async def __aexit__(self, *ending: object) -> None:
        """Leave; jobs go on."""
        await self._close()

    async def _close(self) -> None:
        await self._link.aclose()
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)

    @property
    def state_dir(self) -> Path:
        """The state directory of the master; MasterError if its version does not send it."""
        state = self._greeting.result().state
        if not state:
            raise MasterError(f"the master at {self._path} is older than fleets: restart it")
        return Path(state)

    @property
    def listens(self) -> str:
        """HOST:PORT where analysers dial in to the master; empty: nowhere."""
        return self._greeting.result().listens or ""

    @property
    def web(self) -> str:
        """URL of the master's page; empty: it serves none, or its version does not send it."""
        return self._greeting.result().web or ""

    # The methods of Master.

    async def submit(self, request: JobRequest) -> int:
        """Submit a job; return its number; MasterError when it is refused."""
        if (
            request.stop_settled is not None
            and _minor(self._greeting.result().version) < SETTLED_MINOR_MIN
        ):
            raise MasterError(f"the master at {self._path} is too old to settle jobs: restart it")
        try:
            message = to_submit(self.next_request(), request)
        except ValidationError as error:
            raise MasterError(f"the job cannot be sent: {_first_error(error)}") from None
        *_, end = await self._ask(message)
        assert isinstance(end, Ok), "anything else is raised"
        if end.job is None:
            raise MasterGoneError(f"{self._path}: the master named no job")
        return end.job

    async def resume(self, job: int) -> None:
        """Go on with a job; MasterError when that is refused."""
        await self._ask(Resume(request=self.next_request(), job=job))

    async def extend(self, job: int, extra: int) -> None:
        """Add games of each alternative to a job; MasterError when that is refused."""
        await self._ask(Extend(request=self.next_request(), job=job, extra=extra))

    async def halt(self, job: int) -> None:
        """Stop a job and wait until all of it is stored; MasterError when that is refused."""
        await self._ask(Halt(request=self.next_request(), job=job))

    async def prioritise(self, job: int, priority: Priority) -> None:
        """Put a running job of trials into the background, or back; MasterError if refused."""
        if _minor(self._greeting.result().version) < PRIORITY_MINOR_MIN:
            raise MasterError(f"the master at {self._path} is too old for priorities: restart it")
        word = priority.name.lower()
        await self._ask(Prioritise(request=self.next_request(), job=job, priority=word))

    async def forget(self, job: int) -> None:
        """Delete a job with all of it; MasterError when that is refused."""
        await self._ask(Forget(request=self.next_request(), job=job))

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        return from_shown(await self._ask(Jobs(request=self.next_request())))

    async def show(self, job: int) -> JobView:
        """Return the state of a job; MasterError when there is none."""
        views = from_shown(await self._ask(Show(request=self.next_request(), job=job)))
        if len(views) != 1:
            raise MasterGoneError(f"{self._path}: the master showed {len(views)} jobs for one")
        return views[0]

    async def who(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name."""
        messages = await self._ask(WhoRequest(request=self.next_request()))
        return tuple(from_analyser(m) for m in messages if isinstance(m, AnalyserShown))

    async def status(self) -> list[str]:
        """Return how the master is, as lines for people."""
        messages = await self._ask(StatusRequest(request=self.next_request()))
        return [message.text for message in messages if isinstance(message, Said)]

    async def subscribe(
        self, job: int, interval_s: float = UPDATE_INTERVAL_S
    ) -> AsyncIterator[Update]:
        """Yield the state of a job, now and again, and once more at its end."""
        number = self.next_request()
        block: list[Message] = []
        async for message in self.stream(Attach(request=number, job=job, interval_s=interval_s)):
            block.append(message)
            if isinstance(message, Updated):
                yield from_update(block)
                block = []

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        """Return the answers to questions, in their order."""
        return await QuestionRequests(self, questions, priority, on_answer).run()

    # How it works.

    def send(self, request: Request) -> None:
        """Send a request without waiting for its replies."""
        if not self._reader.done():
            self._link.send(request)

    def next_request(self) -> int:
        """Return a new number for a request."""
        self._last_request += 1
        return self._last_request

    async def _ask(self, request: Request) -> list[Message]:
        """Send a request; return all replies to it, the final one last."""
        return [message async for message in self.stream(request)]

    async def stream(self, request: Request, *more: Message) -> AsyncGenerator[Message, None]:
        """Send a request, and lines that belong to it; yield all replies, the final one last.

        Raises:
            QuestionError: it is refused, for one of its questions.
            MasterError: it is refused.
            MasterGoneError: the master has gone.
        """
        number = request.request
        queue = self._replies[number] = asyncio.Queue()
        if self._reader.done():
            queue.put_nowait(None)
        self._link.send(request, *more)
        try:
            await self._link.drain()
            while True:
                message = await queue.get()
                if message is None:
                    raise MasterGoneError(f"the master at {self._path} has gone{self._trouble}")
                if isinstance(message, Refused) and message.index is not None:
                    raise QuestionError(message.index, message.text)
                if isinstance(message, Refused):
                    raise MasterError(message.text)
                if isinstance(message, Error):
                    raise MasterError(f"{message.code}: {message.text}")
                yield message
                if isinstance(message, Ok):
                    return
        finally:
            del self._replies[number]

    async def _read(self) -> None:
        """Give each message to the request it answers; an error that names none ends all."""
        try:
            async for event in self._link:
                if isinstance(event, LineRejected):
                    self._trouble = f": {event.code}: {event.text}"
                if not isinstance(event, MessageReceived):
                    continue
                message = event.message
                if isinstance(message, Control) and not self._greeting.done():
                    self._greeting.set_result(message)
                elif isinstance(message, Error) and getattr(message, "request", None) is None:
                    self._trouble = f": {message.code}: {message.text}"
                    break
                self._deliver(message)
        finally:
            for queue in self._replies.values():
                queue.put_nowait(None)

    def _deliver(self, message: Message) -> None:
        number: int | None = getattr(message, "request", None)
        queue = None if number is None else self._replies.get(number)
        if queue is not None:
            queue.put_nowait(message)


def _minor(version: str) -> int:
    """Return the second number of a version."""
    return int(version.partition(".")[2])


def _first_error(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg'].lower()}"
