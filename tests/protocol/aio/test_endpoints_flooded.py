"""A peer that asks and does not read, at every endpoint: it is held back, and then goes on."""

import asyncio
import os
import select
import socket
from collections.abc import Awaitable, Callable

import pytest

from protocol.aio.link import Link
from protocol.aio.pipes import from_pipes
from protocol.aio.tcp import from_socket
from protocol.plain import ANSWER_BYTES_HIGH
from tests.protocol.aio.peers import analyser_side
from tests.protocol.conftest import Run

pytestmark = pytest.mark.sockets

PING = b"ping abcdefghijklmnopqrstuvwxyz\n"
KERNEL_BYTES = 1 << 14  # as little as there may be on the way: TCP's own buffers grow to megabytes
Open = Callable[[], Awaitable[tuple[Link, int, int]]]


async def tcp() -> tuple[Link, int, int]:
    """Return a link, and the peer's descriptors: to read, to write."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        peer = socket.socket()
        for sock in (listening, peer):
            for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
                sock.setsockopt(socket.SOL_SOCKET, buffer, KERNEL_BYTES)
        peer.connect(listening.getsockname())
        ours, _address = listening.accept()
    return await from_socket(ours, analyser_side()), os.dup(peer.fileno()), peer.detach()


async def unix() -> tuple[Link, int, int]:
    """As the control socket, and what inetd hands over."""
    ours, peer = socket.socketpair()
    return await from_socket(ours, analyser_side()), os.dup(peer.fileno()), peer.detach()


async def pipes() -> tuple[Link, int, int]:
    """As ssh starts an analyser."""
    down, up = os.pipe(), os.pipe()
    return await from_pipes(down[0], up[1], analyser_side(), "us"), up[0], down[1]


@pytest.mark.parametrize("open_endpoint", [tcp, unix, pipes])
def test_flood_is_held_back_and_goes_on_when_it_reads(run: Run, open_endpoint: Open) -> None:
    async def scenario() -> None:
        link, reading, writing = await open_endpoint()
        for descriptor in (reading, writing):
            os.set_blocking(descriptor, False)
        sent, waiting = 0, b""
        while not is_held_back(link) or not is_full(writing):
            waiting = waiting or PING * 100
            try:
                taken = os.write(writing, waiting)
            except BlockingIOError:
                taken = 0
            sent, waiting = sent + taken, waiting[taken:]
            await asyncio.sleep(0)
        core = link.connection
        assert ANSWER_BYTES_HIGH < core._out_bytes < ANSWER_BYTES_HIGH + 100
        assert not link.is_closed
        heard = bytearray()
        while len(heard) < sent // len(PING) * len(PING):
            try:
                heard += os.read(reading, 1 << 16)
            except BlockingIOError:
                await asyncio.sleep(0)
            if heard.startswith(b"analyser "):
                del heard[: heard.index(b"\n") + 1]
        assert heard == PING.replace(b"ping", b"pong") * (sent // len(PING))
        assert not is_held_back(link)
        link.abort()
        os.close(reading)
        os.close(writing)

    run(scenario())


def is_held_back(link: Link) -> bool:
    return link.connection.has_input and not link.connection.is_listening and link._is_read_paused


def is_full(descriptor: int) -> bool:
    """Whether nothing more can be written: the reader has stopped, and its buffers are full."""
    return not select.select([], [descriptor], [], 0)[1]
