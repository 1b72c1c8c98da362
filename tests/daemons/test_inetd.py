"""Debian's openbsd-inetd really starts the analyser, in both of its ways."""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.daemons.analyser_programs import (
    ENVIRON,
    HERE,
    Process,
    line_with,
    master_of,
    only_master_of,
    started,
    works_with,
)

INETD = shutil.which("inetd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(INETD is None, reason="openbsd-inetd is not installed"),
]


def free_port() -> int:
    """A port that was free a moment ago: inetd binds it itself."""
    with socket.create_server((HERE, 0)) as server:
        port: int = server.getsockname()[1]
        return port


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@asynccontextmanager
async def inetd(tmp_path: Path, way: str) -> AsyncIterator[tuple[Process, int]]:
    """Run inetd with one line like that of deploy/inetd.conf; yield it and the port."""
    port, user = free_port(), pwd.getpwuid(os.getuid()).pw_name
    conf = tmp_path / "inetd.conf"
    server = f"{sys.executable} {sys.executable} -m analyser --stdio --workers 1 --name attic"
    conf.write_text(f"{HERE}:{port} stream tcp {way} {user} {server}\n")
    assert INETD is not None
    async with started(INETD, "-d", str(conf), env=ENVIRON) as process:
        await line_with(process, "ADD")
        try:
            yield process, port
        finally:
            for child in children_of(process.pid) if process.returncode is None else ():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


@pytest.mark.when_changed
async def test_nowait_starts_an_analyser_for_each_connection(tmp_path: Path) -> None:
    async with inetd(tmp_path, "nowait") as (process, port):
        for _ in range(2):
            await works_with((await master_of(port)).link)
            await line_with(process, "status 0")  # the analyser ended with its connection
        alice, bob = await master_of(port), await master_of(port, "bob")
        await asyncio.gather(alice.begin(), bob.begin())
        assert len(children_of(process.pid)) == 2
        await alice.link.aclose()
        await bob.link.aclose()


@pytest.mark.when_changed
async def test_wait_starts_one_analyser_for_all_connections(tmp_path: Path) -> None:
    async with inetd(tmp_path, "wait") as (process, port):
        for _ in range(2):
            await works_with((await master_of(port)).link)
        await only_master_of(port)
        (analyser,) = children_of(process.pid)
        os.kill(analyser, signal.SIGTERM)
        await line_with(process, "status 0")
        await works_with((await master_of(port)).link)  # inetd listens again


async def test_nothing_but_the_protocol_reaches_the_peer(tmp_path: Path) -> None:
    """Inetd makes stderr the connection as well: a warning must not go there."""
    async with inetd(tmp_path, "nowait") as (_, port):
        reader, writer = await asyncio.open_connection(HERE, port)
        async with asyncio.timeout(20):
            writer.write(b"fold everything\nwho\n")
            assert (await reader.readline()).startswith(b"analyser 2.2 name=attic ")
            assert (await reader.readline()).startswith(b"error unknown-verb ")
            assert await reader.readline() == b"info serves nobody\n"
            writer.write(b"bye\n")
            assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
