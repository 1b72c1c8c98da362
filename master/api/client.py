"""A client of a master's interface: a `Master` that is elsewhere, asked by h11.

The daemon does the work, and goes on with it when the client leaves.
"""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import Any, Self, TypeVar

import h11
from pydantic import TypeAdapter, ValidationError

from master.api.messages import (
    About,
    Analysers,
    Done,
    Extension,
    GivenAnswers,
    PriorityChange,
    Problem,
    Questions,
    StatusLines,
)
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.questions import QuestionError
from master.contract.shapes import Shown, first_error
from master.contract.views import UPDATE_INTERVAL_S, AnalyserLine, JobRequest, JobView, Update

READ_BYTES = 1 << 16
"""Of one read; a stream of answers fills it."""

HOST = "localhost"


class ConnectionEndedError(OSError):
    """The master ended a connection in the middle of an answer."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of an answer."""

    status: int
    media: str


class Connection:
    """One connection, which carries one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)
        self._is_over = False

    @classmethod
    async def open(cls, path: Path) -> Connection:
        """Connect; OSError."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            await asyncio.get_running_loop().sock_connect(sock, fspath(path))
            return cls(*await asyncio.open_unix_connection(sock=sock))
        except BaseException:
            sock.close()
            raise

    @property
    def can_go_on(self) -> bool:
        """Whether a further request can be sent: the master has not ended the connection.

        The system is asked, for a loop that was busy has not read the end.
        """
        if self._is_over or self._http.our_state is not h11.IDLE:
            return False
        poll = select.poll()
        poll.register(self._writer.get_extra_info("socket").fileno(), select.POLLIN)
        return not poll.poll(0)

    async def send(self, method: str, path: str, body: bytes) -> None:
        """Send a request; OSError."""
        fields = [("Host", HOST), ("Content-Length", str(len(body)))]
        if body:
            fields.append(("Content-Type", "application/json"))
        request = h11.Request(method=method, target=path, headers=fields)
        self._writer.write(self._http.send(request) or b"")
        if body:
            self._writer.write(self._http.send(h11.Data(data=body)) or b"")
        self._http.send(h11.EndOfMessage())
        with suppress(ConnectionError):  # a refusal may have come before the end of the body
            await self._writer.drain()

    async def head(self) -> Head:
        """Return the head of the answer; OSError."""
        event = await self._next()
        if not isinstance(event, h11.Response):
            raise ConnectionEndedError("the connection ended")
        fields = dict(event.headers)
        return Head(event.status_code, fields.get(b"content-type", b"").decode("latin-1"))

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body of the answer as it comes; OSError."""
        while True:
            event = await self._next()
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                raise ConnectionEndedError("the connection ended")
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        else:
            self._is_over = True

    async def _next(self) -> object:
        """Return the next event; OSError."""
        try:
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(READ_BYTES))
        except h11.RemoteProtocolError as error:
            raise ConnectionEndedError(str(error)) from None
        return event

    def abort(self) -> None:
        """End at once; a request that is being carried out is cancelled by it."""
        self._is_over = True
        self._writer.transport.abort()


class Connections:
    """The connections to one socket: those between two requests are used again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[Connection] = []

    @asynccontextmanager
    async def using(self) -> AsyncIterator[Connection]:
        """Yield a connection for one request; OSError: there is none."""
        connection = None
        while self._idle and connection is None:
            kept = self._idle.pop()
            if kept.can_go_on:
                connection = kept
            else:
                kept.abort()
        connection = connection or await Connection.open(self._path)
        try:
            yield connection
        finally:
            if connection.can_go_on:
                self._idle.append(connection)
            else:
                connection.abort()

    def close(self) -> None:
        """End those that are kept."""
        while self._idle:
            self._idle.pop().abort()


ANSWER_S_MAX = 10.0
"""A master that is there answers a first request at once, even a busy one."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Jobs(Shown):
    """Jobs as a client reads them, without their lines for people."""

    jobs: tuple[JobView, ...]


class MasterGoneError(MasterError):
    """There is no master at the socket, or it has ended."""


class MasterClient:
    """A client of the master at a Unix socket. Use it as an async context manager."""

    is_elsewhere = True

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connections = Connections(path)

    async def __aenter__(self) -> Self:
        """Ask whether a master is there.

        Raises:
            MasterGoneError: none answers.
        """
        try:
            async with asyncio.timeout(ANSWER_S_MAX):
                await self._call("GET", "/healthz", None)
        except TimeoutError:
            self._connections.close()
            raise MasterGoneError(f"the master at {self._path} does not answer") from None
        except MasterError:
            self._connections.close()
            raise
        return self

    async def __aexit__(self, *ending: object) -> None:
        """Leave; jobs go on."""
        self._connections.close()

    async def about(self) -> About:
        """Return the master's name, its state directory and where it listens."""
        return await self._read(About, "GET", "/api/about")

    # The methods of Master.

    async def submit(self, request: JobRequest) -> int:
        """Submit a job; return its number; MasterError when it is refused."""
        done = await self._read(Done, "POST", "/api/jobs", request)
        return done.job

    async def resume(self, job: int) -> None:
        """Go on with a job; MasterError when that is refused."""
        await self._change(job, "resume")

    async def extend(self, job: int, extra: int) -> None:
        """Add games of each alternative to a job; MasterError when that is refused."""
        await self._change(job, "extend", Extension(extra))

    async def halt(self, job: int) -> None:
        """Stop a job and wait until all of it is stored; MasterError when that is refused."""
        await self._change(job, "halt")

    async def prioritise(self, job: int, priority: Priority) -> None:
        """Put a running job of trials into the background, or back; MasterError if refused."""
        await self._change(job, "priority", PriorityChange(priority))

    async def forget(self, job: int) -> None:
        """Delete a job with all of it; MasterError when that is refused."""
        await self._change(job, "forget")

    async def jobs(self) -> list[JobView]:
        """Return all jobs, oldest first, without their alternatives' statistics."""
        return [*(await self._read(_Jobs, "GET", "/api/jobs")).jobs]

    async def show(self, job: int) -> JobView:
        """Return the view of a job; MasterError when there is none."""
        return await self._read(JobView, "GET", f"/api/jobs/{job}")

    async def who(self) -> tuple[AnalyserLine, ...]:
        """Return all analysers by name."""
        return (await self._read(Analysers, "GET", "/api/analysers")).analysers

    async def status(self) -> list[str]:
        """Return how the master is, as lines for people."""
        return [*(await self._read(StatusLines, "GET", "/api/status")).lines]

    async def subscribe(
        self, job: int, interval_s: float = UPDATE_INTERVAL_S
    ) -> AsyncIterator[Update]:
        """Yield views of a job, now and again, and once more at its end."""
        path = f"/api/jobs/{job}/updates?interval_s={interval_s:g}"
        async with aclosing(self._events("GET", path, None)) as events:
            async for _, data in events:
                yield self._parsed(Update, data)

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        """Return the answers to questions, in their order; leaving stops the unanswered ones."""
        indexes: dict[str, list[int]] = {}
        for index, text in enumerate(questions):
            indexes.setdefault(text, []).append(index)
        texts = tuple(indexes)
        answers: dict[str, str] = {}
        body = Questions(texts, priority)
        try:
            async with aclosing(self._events("POST", "/api/questions", body)) as events:
                async for _, data in events:
                    for index, answer in self._parsed(GivenAnswers, data).answers:
                        text = texts[index]
                        answers[text] = answer
                        if on_answer is not None:
                            for place in indexes[text]:
                                on_answer(place, answer)
        except QuestionError as error:
            raise QuestionError(indexes[texts[error.index]][0], error.text) from None
        return [answers[text] for text in questions]

    # How it works.

    async def _change(self, job: int, verb: str, body: object = None) -> None:
        await self._read(Done, "POST", f"/api/jobs/{job}/{verb}", {} if body is None else body)

    async def _read(self, kind: type[T], method: str, path: str, body: object = None) -> T:
        return self._parsed(kind, await self._call(method, path, body))

    def _parsed(self, kind: type[T], data: bytes) -> T:
        try:
            return _adapter(kind).validate_json(data)
        except ValidationError as error:
            text = f"the master at {self._path} is of another version: restart it"
            raise MasterError(f"{text} ({first_error(error)})") from None

    async def _call(self, method: str, path: str, body: object) -> bytes:
        """Return the body of an answer; MasterError: it is a refusal."""
        try:
            async with self._connections.using() as connection:
                await connection.send(method, path, _encoded(body))
                return await self._whole(connection)
        except OSError as error:
            raise self._gone(error) from None

    async def _whole(self, connection: Connection) -> bytes:
        status = (await connection.head()).status
        whole = b"".join([piece async for piece in connection.pieces()])
        if status >= 400:
            raise _refusal(self._parsed(Problem, whole))
        return whole

    async def _events(
        self, method: str, path: str, body: object
    ) -> AsyncGenerator[tuple[str, bytes], None]:
        """Yield the events of a stream, each with its name and data, until `done`."""
        try:
            async with self._connections.using() as connection:
                await connection.send(method, path, _encoded(body))
                head = await connection.head()
                if head.status >= 400:
                    whole = b"".join([piece async for piece in connection.pieces()])
                    raise _refusal(self._parsed(Problem, whole))
                async with aclosing(_frames(connection)) as frames:
                    async for name, data in frames:
                        if name == "done":
                            return
                        if name == "refused":
                            raise _refusal(self._parsed(Problem, data))
                        yield name, data
                raise MasterGoneError(f"the master at {self._path} has gone")
        except OSError as error:
            raise self._gone(error) from None

    def _gone(self, error: OSError) -> MasterGoneError:
        reason = error.strerror or str(error)
        return MasterGoneError(f"no master answers at {self._path}: {reason}")


async def _frames(connection: Connection) -> AsyncGenerator[tuple[str, bytes], None]:
    """Yield server-sent events: name and data."""
    rest = bytearray()
    async for piece in connection.pieces():
        begin = max(len(rest) - 1, 0)  # a long event comes in many pieces: each is read once
        rest += piece
        while (end := rest.find(b"\n\n", begin)) >= 0:
            fields = {}
            for line in rest[:end].split(b"\n"):
                name, _, value = bytes(line).partition(b": ")
                fields[name] = value
            del rest[: end + 2]
            begin = 0
            if b"data" in fields:
                yield fields.get(b"event", b"").decode("latin-1"), fields[b"data"]


def _refusal(problem: Problem) -> MasterError:
    if problem.index is not None:
        return QuestionError(problem.index, problem.text)
    return MasterError(problem.text)


def _encoded(body: object) -> bytes:
    return b"" if body is None else _adapter(type(body)).dump_json(body)


_ADAPTERS: dict[Any, TypeAdapter[Any]] = {}


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Return what reads and writes values of a type; made when it is first needed."""
    found = _ADAPTERS.get(kind)
    if found is None:
        found = _ADAPTERS[kind] = TypeAdapter(kind)
    return found
