"""A master that analysers dial in to, its fleets, and what is seen of them."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from master.api.client import MasterClient
from master.config.paths import control_socket_path
from tests.daemons.analyser_programs import HERE, line_with, started
from tests.daemons.command_line import POSITION, Ended, Home

ROLLOUT = ("rollout", POSITION, "--trials", "108", "--plies", "0", "--json")
LONGER = ("rollout", POSITION, "--trials", "5184", "--plies", "0", "--json")
"""Some seconds of two workers."""

SEEN_S_MAX = 60.0

NOT_HERE_YET = "no analyser of the fleet is here yet ("


@dataclass(frozen=True)
class Status:
    """A running master, and its user.

    Args:
        home: the user's.
        environ: of commands.
        port: where analysers dial in.
    """

    home: Home
    environ: Mapping[str, str]
    port: int

    @property
    def mark(self) -> str:
        """What analysers that dial in have on their command lines, and no others."""
        return f"{HERE}:{self.port}"

    async def run(self, *args: str) -> Ended:
        """Run a command to its end."""
        return await self.home.run(*args, env=dict(self.environ))

    async def fleet(self, *args: str) -> Ended:
        """Run a command of `manyply fleet` that has to succeed."""
        ended = await self.run("fleet", *args)
        assert ended.code == 0, ended
        return ended

    async def lines(self) -> list[dict[str, Any]]:
        """Return what `fleet list` says of each analyser."""
        listed = await self.fleet("list", "--json")
        found: list[dict[str, Any]] = json.loads(listed.out)["analysers"]
        return found

    async def until(self, is_seen: Callable[[list[str]], bool]) -> list[dict[str, Any]]:
        """List until the analysers' states are as expected; return the lines."""
        lines: list[dict[str, Any]] = []
        try:
            async with asyncio.timeout(SEEN_S_MAX):
                while not is_seen(sorted(line["state"] for line in lines)):
                    await asyncio.sleep(0.4)  # a list is a process, and costs about as much
                    lines = await self.lines()
        except TimeoutError:
            raise AssertionError(f"never seen; last: {lines}") from None
        return lines

    async def until_ready(self, count: int) -> list[dict[str, Any]]:
        """List until so many analysers are ready, and nothing else is listed."""
        return await self.until(lambda states: states == ["ready"] * count)

    async def status(self) -> list[str]:
        """Return how the master says that it is."""
        async with MasterClient(control_socket_path(self.home.state, self.environ)) as client:
            return await client.status()


@asynccontextmanager
async def status(home: Home, **environ: str) -> AsyncIterator[Status]:
    """Run a master; its fleets are taken down at the end."""
    env = home.environ | environ
    words = (sys.executable, "-m", "master", "--listen", f"{HERE}:0")
    async with started(*words, env=env) as process:
        found = re.search(r"port (\d+)", await line_with(process, "listening"))
        assert found is not None
        await line_with(process, "ready")
        seen = Status(home, env, int(found[1]))
        try:
            yield seen
        finally:
            await seen.run("fleet", "down")


_alone: dict[tuple[str, ...], Any] = {}


async def alone(home: Home, words: tuple[str, ...]) -> Any:
    """Return the alternatives that a rollout has on this machine alone; run once, as it is long."""
    if words not in _alone:
        _alone[words] = (await home.run(*words, "--local", "2")).report["alternatives"]
    return _alone[words]


def analysers_with(mark: str) -> list[int]:
    """Return the processes that are analysers with a mark on their command line or around them.

    The mark is one test's alone: others run beside it.
    """
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, environ = ((folder / name).read_bytes() for name in ("cmdline", "environ"))
        except OSError:  # it has just ended
            continue
        if b"analyser" in command.split(b"\0") and mark.encode() in command + environ:
            found.append(int(folder.name))
    return found


async def until_gone(mark: str) -> None:
    """Wait until no analyser with a mark runs."""
    async with asyncio.timeout(SEEN_S_MAX):
        while analysers_with(mark):  # noqa: ASYNC110  # no other process tells
            await asyncio.sleep(0.05)


def announced_beside_waiting(ended: Ended) -> list[str]:
    """Return what a command said on standard error but that no analyser is here yet.

    That is true where processes start slowly.
    """
    return [line for line in ended.err.splitlines() if NOT_HERE_YET not in line]


def kill_one(mark: str) -> None:
    """Kill the first analyser with a mark."""
    os.kill(min(analysers_with(mark)), signal.SIGKILL)
