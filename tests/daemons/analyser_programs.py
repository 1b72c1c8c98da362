"""`manyply-analyser` as a process, and masters that speak to it over real sockets."""

import asyncio
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from protocol.aio import Link, connect_tcp
from protocol.messages import Bye
from protocol.session import MasterSession
from protocol.sides import MasterSide
from tests.analyser.driven_master import DrivenMaster, LeftError, expected

ROOT = Path(__file__).parents[2]
HERE = "127.0.0.1"
STEP_S_MAX = 20.0
ANALYSER = (sys.executable, "-m", "analyser")
ENVIRON = os.environ | {"PYTHONPATH": str(ROOT)}
FLEET = f"""
[[analyser]]
name = "attic"
command = ["{sys.executable}", "-m", "analyser", "--stdio", "--workers", "1"]
"""
"""A fleet list of one analyser, of one worker."""

# Hands descriptor argv[1] over to module argv[2] as systemd does: as fd 3, named by LISTEN_PID,
# which only the process itself knows before it becomes the program.
LAUNCH = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", *sys.argv[2:]])
"""

Process = asyncio.subprocess.Process


@asynccontextmanager
async def started(*argv: str, **options: Any) -> AsyncIterator[Process]:
    """Run a program; it is killed if it has not ended at the end."""
    settings: dict[str, Any] = {"stderr": asyncio.subprocess.PIPE, "cwd": ROOT, "env": ENVIRON}
    process = await asyncio.create_subprocess_exec(*argv, **settings | options)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


async def ended(process: Process) -> int:
    async with asyncio.timeout(STEP_S_MAX):
        return await process.wait()


async def line_with(process: Process, word: str) -> str:
    """Return the next line of stderr with a word in it."""
    assert process.stderr is not None
    said = []
    async with asyncio.timeout(STEP_S_MAX):
        while line := (await process.stderr.readline()).decode():
            if word in line:
                return line.strip()
            said.append(line)
    raise AssertionError(f"ended without saying {word!r}: {said}")


@asynccontextmanager
async def listening(*options: str) -> AsyncIterator[tuple[Process, int]]:
    """Run an analyser on a free port."""
    async with started(*ANALYSER, "--listen", f"{HERE}:0", *options) as process:
        found = re.search(r"port (\d+)", await line_with(process, "listening on port"))
        assert found is not None
        yield process, int(found[1])


@asynccontextmanager
async def all_listening(count: int, *options: str) -> AsyncIterator[list[tuple[Process, int]]]:
    """Run analysers m0, m1, ... of one worker each, on free ports."""
    async with AsyncExitStack() as stack:
        each = [(*options, "--workers", "1", "--name", f"m{number}") for number in range(count)]
        yield [await stack.enter_async_context(listening(*words)) for words in each]


def analysers_at(*ports: int) -> list[str]:
    """Return the options of a command for these analysers alone."""
    return ["--local", "0", *(word for p in ports for word in ("--analyser", f"{HERE}:{p}"))]


def free_port() -> int:
    """Return a port that was free a moment ago, for a program that binds it itself."""
    with socket.create_server((HERE, 0)) as server:
        return int(server.getsockname()[1])


async def master_of(port: int, name: str = "alice") -> DrivenMaster:
    """Dial an analyser."""
    session = MasterSession(f"of-{name}")
    return DrivenMaster(await connect_tcp(HERE, port, MasterSide(session)), session, name)


async def only_master_of(port: int) -> DrivenMaster:
    """Dial an analyser and begin; a second master is told that it is busy."""
    alice, bob = await master_of(port), await master_of(port, "bob")
    await alice.begin()
    with pytest.raises(LeftError, match="busy, serves alice"):
        await bob.begin()
    return alice


async def works_with(link: Link, count: int = 20) -> None:
    """Be a master that gets a part done, stores it and leaves."""
    side = link.connection
    assert isinstance(side, MasterSide)
    side.session = side.session or MasterSession("s1")
    master = DrivenMaster(link, side.session)
    await master.begin()
    request = master.ask(1, count)
    assert await master.results(count + 1) == expected(request)
    master.ack()
    link.send(Bye(reason="enough"))
    await link.aclose()
