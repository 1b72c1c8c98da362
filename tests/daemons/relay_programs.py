"""`manyply-relay` as a process."""

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.daemons.analyser_programs import ANALYSER, HERE, Process, line_with, started

RELAY = (sys.executable, "-m", "master.cli.relay")


@dataclass(frozen=True)
class RunningRelay:
    """A relay that listens for masters above, and for analysers below."""

    process: Process
    up_port: int
    port: int

    @property
    def up(self) -> str:
        """Where it is met by a master above."""
        return f"{HERE}:{self.up_port}"

    @property
    def down(self) -> str:
        """Where it is met by analysers."""
        return f"{HERE}:{self.port}"


@asynccontextmanager
async def relaying(*options: str) -> AsyncIterator[RunningRelay]:
    """Run a relay on free ports."""
    endpoints = ("--up-listen", f"{HERE}:0", "--listen", f"{HERE}:0")
    async with started(*RELAY, *endpoints, "-v", *options) as process:
        port = await _port_in(process, "listening for analysers on port")
        yield RunningRelay(process, await _port_in(process, "listening on port"), port)


@asynccontextmanager
async def dialling(address: str, *options: str) -> AsyncIterator[Process]:
    """Run an analyser of one worker that dials in."""
    argv = (*ANALYSER, "--connect", address, "--workers", "1", "-v", *options)
    async with started(*argv) as process:
        yield process


async def _port_in(process: Process, words: str) -> int:
    found = re.search(r"port (\d+)", await line_with(process, words))
    assert found is not None
    return int(found[1])
