import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network

import pytest
from starlette.types import Receive, Scope, Send

from master.web.connections import CONNECTIONS_MAX, HEAD_BYTES_MAX, Connections
from protocol.access.rules import Access
from protocol.guards.access_control import AccessControl

pytestmark = pytest.mark.sockets

ASKED = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
SOON_S = 0.05


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


class Endless:
    """Sends for ever, as fast as the reader takes it."""

    def __init__(self) -> None:
        self.is_left = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asking = asyncio.ensure_future(self._leave(receive))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not self.is_left.is_set():
            await send({"type": "http.response.body", "body": b"a" * 65_536, "more_body": True})
        await asking

    async def _leave(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.is_left.set()


@asynccontextmanager
async def served(
    application: Callable[..., object] = greet,
    access: Access | None = None,
    head_s: float = 60.0,
    stalled_s: float = 60.0,
) -> AsyncIterator[tuple[Connections, int]]:
    connections = Connections(AccessControl(access or Access()), head_s, stalled_s)
    connections.serve(application)  # type: ignore[arg-type]
    loop = asyncio.get_running_loop()
    server = await loop.create_server(connections.begin, "127.0.0.1", 0)
    yield connections, server.sockets[0].getsockname()[1]
    server.close()
    await connections.aclose()


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


async def test_request_is_answered_without_saying_who_answers() -> None:
    async with served() as (_, port):
        answer = await ending(port, ASKED[:-2], b"Connection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"hello\r\n0\r\n\r\n")
    assert b"server:" not in answer.lower()


@pytest.mark.parametrize("said", [b"", ASKED[:9]], ids=["nothing", "half"])
async def test_head_that_does_not_end_ends_the_connection(said: bytes) -> None:
    async with served(head_s=SOON_S) as (_, port):
        assert await ending(port, said) == b""


async def test_second_head_that_does_not_end_ends_the_connection() -> None:
    async with served(head_s=SOON_S) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        await reader.readuntil(b"hello\r\n0\r\n\r\n")
        writer.write(ASKED[:9])
        assert await reader.read() == b""
        writer.close()


async def test_answer_may_take_longer_than_a_head() -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.sleep(3 * SOON_S)
        await greet(scope, receive, send)

    async with served(slow, head_s=SOON_S) as (_, port):
        assert b"hello" in await ending(port, ASKED[:-2], b"Connection: close\r\n\r\n")


async def test_long_head_is_refused() -> None:
    async with served() as (_, port):
        answer = await ending(port, ASKED[:-2], b"A: " + b"a" * 2 * HEAD_BYTES_MAX)
    assert answer.startswith(b"HTTP/1.1 400 ") or answer == b""


async def test_reader_who_takes_nothing_is_left() -> None:
    endless = Endless()
    async with served(endless, stalled_s=SOON_S) as (_, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1)
        writer.write(ASKED)
        await endless.is_left.wait()
        writer.close()


@pytest.mark.parametrize("said", [b"", ASKED[:9]], ids=["nothing", "half"])
async def test_connections_without_a_request_shut_nobody_out(said: bytes) -> None:
    async with served() as (connections, port):
        held = []
        for _ in range(300):
            held.append(await asyncio.open_connection("127.0.0.1", port))
            held[-1][1].write(said)
        assert b"hello" in await ending(port, ASKED[:-2], b"Connection: close\r\n\r\n")
        assert len(connections.state.connections) <= CONNECTIONS_MAX
        assert await held[0][0].read() == b""
        for _, writer in held:
            writer.close()


async def test_connection_that_has_asked_outlasts_those_that_have_not() -> None:
    async with served() as (_, port):
        silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        await reader.readuntil(b"hello\r\n0\r\n\r\n")
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS_MAX)]
        writer.write(ASKED)
        assert b"hello" in await reader.readuntil(b"hello\r\n0\r\n\r\n")
        for _, each in (*silent, *held):
            each.close()
        writer.close()


@pytest.mark.when_changed
async def test_answers_that_are_being_sent_are_not_ended_for_others() -> None:
    endless = Endless()
    async with served(endless) as (_, port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS_MAX)]
        for reader, writer in held:
            writer.write(ASKED)
            await reader.readuntil(b"\r\n\r\n")
        assert await ending(port, ASKED) == b""
        for reader, writer in held:
            assert await reader.read(1)
            writer.transport.abort()
        await endless.is_left.wait()


async def test_network_that_is_not_allowed_is_turned_away_and_counted() -> None:
    async with served(access=Access(allowed=(ip_network("192.0.2.0/24"),))) as (connections, port):
        assert await ending(port, ASKED) == b""
        assert connections.keeper.summary() == "not-allowed 1"


async def test_websockets_are_not_spoken() -> None:
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n"
    async with served() as (_, port):
        answer = await ending(port, ASKED[:-2], upgrade)
    assert not answer.startswith(b"HTTP/1.1 101")
