import asyncio
import os
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from master.api.connections import (
    CONNECTIONS_MAX,
    HEAD_BYTES_MAX,
    IS_OWNER,
    OWNER_LIMITS,
    Connections,
    Limits,
    Visit,
)
from master.api.streams import EventStream
from protocol.access.rules import Access
from protocol.guards.access_control import AccessControl

pytestmark = pytest.mark.sockets

ASKED = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
CLOSING = ASKED[:-2] + b"Connection: close\r\n\r\n"
WHOLE = b"hello\r\n0\r\n\r\n"
SOON_S = 0.05
LONG = Limits(head_s=60.0, stalled_s=60.0)
Application = Callable[[Scope, Receive, Send], Any]


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


class Waiting:
    """Answers once it may."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.may_end = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.set()
        await self.may_end.wait()
        await greet(scope, receive, send)


class Endless:
    """A stream without an end, whose events wait for nothing."""

    def __init__(self, event: bytes = b"data: %s\n\n" % (b"a" * 65_536)) -> None:
        self.event = event
        self.made = 0
        self.is_left = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await EventStream(self._frames())(scope, receive, send)

    async def _frames(self) -> AsyncGenerator[bytes, None]:
        try:
            while True:
                self.made += 1
                yield self.event
        finally:
            self.is_left.set()


class Silent(Endless):
    """A stream that has one event and then none."""

    async def _frames(self) -> AsyncGenerator[bytes, None]:
        try:
            yield b"data: 1\n\n"
            await asyncio.Event().wait()
        finally:
            self.is_left.set()


def by_path(**applications: Application) -> Application:
    """Return an application of several, each at the path of its name."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await applications[scope["path"].strip("/") or "greet"](scope, receive, send)

    return answer


@asynccontextmanager
async def served(
    application: Application = greet, access: Access | None = None, limits: Limits = LONG
) -> AsyncIterator[tuple[Connections, int]]:
    """Serve strangers."""
    connections = Connections(AccessControl(access or Access()), limits)
    connections.serve(application)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(connections.begin, "127.0.0.1", 0)
    yield connections, server.sockets[0].getsockname()[1]
    server.close()
    await connections.aclose()


@asynccontextmanager
async def served_to_owner(
    application: Application, path: Path, limits: Limits = OWNER_LIMITS
) -> AsyncIterator[Connections]:
    """Serve the owner at a Unix socket."""
    connections = Connections(None, limits)
    connections.serve(application)
    server = await asyncio.get_running_loop().create_unix_server(connections.begin, path)
    yield connections
    server.close()
    await connections.aclose()


@asynccontextmanager
async def connected(
    application: Application, kind: str, folder: Path, limits: Limits | None = None
) -> AsyncIterator[tuple[Connections, asyncio.StreamReader, asyncio.StreamWriter]]:
    """Serve at a kind of socket, and connect to it."""
    if kind == "tcp":
        async with served(application, limits=limits or LONG) as (connections, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            yield connections, reader, writer
            writer.transport.abort()
    else:
        path = folder / "c.sock"
        async with served_to_owner(application, path, limits or OWNER_LIMITS) as connections:
            reader, writer = await asyncio.open_unix_connection(path)
            yield connections, reader, writer
            writer.transport.abort()


async def ending(port: int, *said: bytes) -> bytes:
    """Say something, and return all that comes until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for each in said:
        writer.write(each)
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


async def passed(turns: int = 50) -> None:
    """Let others have their turns."""
    for _ in range(turns):
        await asyncio.sleep(0)


# Requests.


async def test_request_is_answered_without_the_servers_name() -> None:
    async with served() as (_, port):
        answer = await ending(port, CLOSING)
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(WHOLE)
    assert b"server:" not in answer.lower()


async def test_request_may_come_in_pieces() -> None:
    async with served() as (_, port):
        assert (await ending(port, *(CLOSING[at : at + 1] for at in range(len(CLOSING))))).endswith(
            WHOLE
        )


@pytest.mark.parametrize(
    "said",
    [b"hello\r\n\r\n", b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"GET /\r\n\r\n",
     b"analyser 2.2 name=a\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: a\r\n Folded: b\r\nBad Name: c\r\n\r\n"],
)  # fmt: skip
async def test_what_is_no_request_ends_the_connection(said: bytes) -> None:
    async with served() as (_, port):
        assert (await ending(port, said)).startswith(b"HTTP/1.1 400 ")


async def test_http_is_read_by_h11_alone() -> None:
    async with served() as (connections, port):
        assert issubclass(Visit, H11Protocol)
        assert isinstance(connections.begin(), H11Protocol)
        assert connections.begin().config.http == "h11"  # and not a faster one, where it is there
        smuggled = b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
        assert (await ending(port, smuggled)).startswith(b"HTTP/1.1 400 ")


async def test_websockets_are_refused() -> None:
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n"
    async with served() as (_, port):
        answer = await ending(port, ASKED[:-2], upgrade)
    assert not answer.startswith(b"HTTP/1.1 101")


# Deadlines.


@pytest.mark.parametrize("said", [b"", ASKED[:9]], ids=["nothing", "half"])
async def test_head_that_does_not_end_ends_the_connection(said: bytes) -> None:
    async with served(limits=Limits(head_s=SOON_S)) as (_, port):
        assert await ending(port, said) == b""


async def test_second_head_that_does_not_end_ends_the_connection() -> None:
    async with served(limits=Limits(head_s=SOON_S)) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        await reader.readuntil(WHOLE)
        writer.write(ASKED[:9])
        assert await reader.read() == b""
        writer.close()


async def test_answer_may_take_longer_than_a_head() -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(3 * SOON_S)
        await greet(scope, receive, send)

    async with served(slow, limits=Limits(head_s=SOON_S)) as (_, port):
        assert b"hello" in await ending(port, CLOSING)


async def test_long_head_is_refused() -> None:
    async with served() as (_, port):
        answer = await ending(port, ASKED[:-2], b"A: " + b"a" * 2 * HEAD_BYTES_MAX)
    assert answer.startswith(b"HTTP/1.1 400 ") or answer == b""


async def test_stranger_that_takes_no_data_is_cut() -> None:
    endless = Endless()
    limits = Limits(stalled_s=SOON_S)
    async with connected(endless, "tcp", Path(), limits) as (connections, _, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(ASKED)
        await endless.is_left.wait()
        assert not writer.is_closing()
        await passed()
        assert not connections.state.connections


async def test_stopped_client_of_the_owner_is_not_cut_and_goes_on(tmp_path: Path) -> None:
    endless = Endless()
    async with connected(endless, "unix", tmp_path) as (connections, reader, writer):
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(ASKED)
        before = -1
        while endless.made != before or not endless.made:
            before = endless.made
            await passed()
        (visit,) = connections.state.connections
        assert isinstance(visit, Visit)
        assert not visit.flow._is_writable_event.is_set()
        assert visit._stalled is None  # no time limit was begun
        assert not endless.is_left.is_set()
        writer.transport.resume_reading()  # type: ignore[attr-defined]
        while endless.made == before:
            assert await reader.read(1 << 20)
        assert not endless.is_left.is_set()


def test_only_the_owners_client_may_stop_for_long() -> None:
    assert OWNER_LIMITS.stalled_s is None
    assert Limits().stalled_s == 30.0


# Streams.


@pytest.mark.parametrize("kind", ["tcp", "unix"])
@pytest.mark.parametrize("application", [Endless, Silent])
async def test_stream_ends_when_its_client_leaves(
    kind: str, application: type[Endless], tmp_path: Path
) -> None:
    endless = application()
    async with connected(endless, kind, tmp_path) as (_, reader, writer):
        writer.write(ASKED)
        await reader.readuntil(b"data: ")
        writer.close()
        await endless.is_left.wait()


async def test_stream_that_never_waits_blocks_no_other_client() -> None:
    endless = Endless(b"data: 1\n\n")
    application = by_path(endless=endless, greet=greet)
    async with served(application) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED.replace(b"/", b"/endless", 1))
        reading = asyncio.ensure_future(_taken(reader))
        for _ in range(3):
            assert b"hello" in await ending(port, CLOSING)
        assert not endless.is_left.is_set()
        writer.transport.abort()
        await endless.is_left.wait()
        await asyncio.gather(reading, return_exceptions=True)


async def _taken(reader: asyncio.StreamReader) -> None:
    while await reader.read(1 << 16):
        pass


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_stream_of_a_client_that_sends_no_more_ends(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    silent = Silent()
    async with connected(silent, kind, tmp_path) as (_, reader, writer):
        writer.write(ASKED)
        await reader.readuntil(b"data: 1")
        writer.write_eof()
        await silent.is_left.wait()
        assert (await reader.read()).endswith(b"\r\n0\r\n\r\n")  # a whole answer
    assert caplog.records == []


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_client_that_leaves_a_stream_is_not_logged(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    silent = Silent()
    async with connected(silent, kind, tmp_path) as (_, reader, writer):
        writer.write(ASKED)
        await reader.readuntil(b"data: 1")
        writer.close()
        await silent.is_left.wait()
    assert caplog.records == []


# A client that closes its sending side alone.


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_client_that_closes_its_sending_side_gets_its_answer(
    kind: str, tmp_path: Path
) -> None:
    waiting = Waiting()
    async with connected(waiting, kind, tmp_path) as (_, reader, writer):
        writer.write(ASKED)
        await waiting.begun.wait()
        writer.write_eof()
        await passed()
        waiting.may_end.set()
        assert (await reader.read()).endswith(WHOLE)  # and the connection ends with it


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_request_and_the_end_of_sending_at_once_are_answered(
    kind: str, tmp_path: Path
) -> None:
    async with connected(greet, kind, tmp_path) as (_, reader, writer):
        sock = writer.get_extra_info("socket")
        os.write(sock.fileno(), ASKED)
        sock.shutdown(socket.SHUT_WR)
        assert b"hello" in await reader.read()


async def test_request_of_an_owner_that_has_left_is_ended(tmp_path: Path) -> None:
    async def wait(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        while (await receive())["type"] != "http.disconnect":
            pass
        ended.set()

    begun, ended = asyncio.Event(), asyncio.Event()
    async with connected(wait, "unix", tmp_path) as (_, _reader, writer):
        writer.write(ASKED)
        await begun.wait()
        writer.close()
        await ended.wait()


@pytest.mark.parametrize("kind", ["tcp", "unix"])
async def test_connection_without_a_request_ends_with_its_client(kind: str, tmp_path: Path) -> None:
    async with connected(greet, kind, tmp_path) as (_, reader, writer):
        writer.write_eof()
        assert await reader.read() == b""


# Whose they are.


@pytest.mark.parametrize(("kind", "is_owner"), [("tcp", False), ("unix", True)])
async def test_application_knows_the_owner(kind: str, is_owner: bool, tmp_path: Path) -> None:
    async def tell(scope: Scope, receive: Receive, send: Send) -> None:
        found.append(scope["state"][IS_OWNER])
        await greet(scope, receive, send)

    found: list[bool] = []
    async with connected(tell, kind, tmp_path) as (_, reader, writer):
        writer.write(CLOSING)
        await reader.read()
    assert found == [is_owner]


async def test_network_that_is_not_allowed_is_turned_away_and_counted() -> None:
    async with served(access=Access(allowed=(ip_network("192.0.2.0/24"),))) as (connections, port):
        assert await ending(port, ASKED) == b""
        assert connections.keeper is not None
        assert connections.keeper.summary() == "not-allowed 1"


# How many there are.


@pytest.mark.parametrize("said", [b"", ASKED[:9]], ids=["nothing", "half"])
async def test_connections_without_a_request_shut_no_client_out(said: bytes) -> None:
    async with served() as (connections, port):
        held = []
        for _ in range(300):
            held.append(await asyncio.open_connection("127.0.0.1", port))
            held[-1][1].write(said)
        assert b"hello" in await ending(port, CLOSING)
        assert len(connections.state.connections) <= CONNECTIONS_MAX
        assert await held[0][0].read() == b""
        for _, writer in held:
            writer.close()


async def test_oldest_connection_makes_room_where_there_are_few() -> None:
    async with served(limits=Limits(connections_max=3)) as (_, port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert b"hello" in await ending(port, CLOSING)
        assert await held[0][0].read() == b""
        reader, writer = held[1]
        writer.write(CLOSING)
        assert b"hello" in await reader.read()
        for _, writer in held:
            writer.close()


async def test_connection_that_has_asked_outlasts_those_that_have_not() -> None:
    async with served() as (_, port):
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        await reader.readuntil(WHOLE)
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS_MAX)]
        writer.write(ASKED)
        assert b"hello" in await reader.readuntil(WHOLE)
        for _, each in (*silent, *held):
            each.close()
        writer.close()


async def test_answers_that_are_being_sent_are_not_ended_for_others() -> None:
    silent = Silent()
    async with served(silent, limits=Limits(connections_max=3)) as (_, port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        for reader, writer in held:
            writer.write(ASKED)
            await reader.readuntil(b"data: ")
        assert await ending(port, ASKED) == b""
        for reader, writer in held:
            assert await reader.read(1)
            writer.transport.abort()
        await silent.is_left.wait()


# The end.


@pytest.mark.parametrize("kind", ["tcp", "unix"])
@pytest.mark.parametrize("application", [Endless, Silent, Waiting])
async def test_closing_ends_open_answers_within_its_time_limit(
    kind: str, application: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("master.api.connections.CLOSING_S", SOON_S)
    answering = application()
    async with connected(answering, kind, tmp_path) as (connections, reader, writer):
        writer.write(ASKED)
        if application is Waiting:
            await answering.begun.wait()
        else:
            await reader.readuntil(b"data: ")
        await connections.aclose()
        assert not connections.state.tasks
        await passed()
        assert not connections.state.connections
        assert application is Waiting or answering.is_left.is_set()


async def test_closing_waits_for_an_answer_that_ends_in_time(tmp_path: Path) -> None:
    waiting = Waiting()
    async with connected(waiting, "unix", tmp_path) as (connections, reader, writer):
        writer.write(ASKED)
        await waiting.begun.wait()
        closing = asyncio.ensure_future(connections.aclose())
        await passed()
        assert not closing.done()
        waiting.may_end.set()
        assert (await reader.read()).endswith(WHOLE)
        await closing
