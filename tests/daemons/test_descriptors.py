"""Few descriptors: one line at the start, and strangers that cannot lock anybody out."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.aio import connect_tcp
from protocol.sides import MasterSide
from tests.daemons.analyser_programs import ANALYSER, HERE, Process, line_with, started, works_with
from tests.daemons.command_line import MANYPLY, POSITION, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

MASTER = (sys.executable, "-m", "master")
STRANGERS = 200


def limited(count: int, *argv: str) -> tuple[str, ...]:
    """Return a command that may have so many descriptors."""
    return ("prlimit", f"--nofile={count}", *argv)


@asynccontextmanager
async def strangers(port: int) -> AsyncIterator[None]:
    """Hold as many connections as one gets, and say nothing on them."""
    opened = await asyncio.gather(
        *(asyncio.open_connection(HERE, port) for _ in range(STRANGERS)), return_exceptions=True
    )
    writers = [found[1] for found in opened if not isinstance(found, BaseException)]
    assert len(writers) > STRANGERS // 2
    try:
        yield
    finally:
        for writer in writers:
            writer.close()


async def port_of(process: Process) -> int:
    found = re.search(r"port (\d+)", await line_with(process, "on port"))
    assert found is not None
    return int(found[1])


@pytest.mark.parametrize(
    "argv",
    [
        (*MANYPLY, "rollout", POSITION, "--trials", "36"),
        MASTER,
        (*ANALYSER, "--listen", f"{HERE}:0"),
    ],
)
@pytest.mark.parametrize("count", [10, 16, 31])
@pytest.mark.when_changed
async def test_too_few_descriptors_are_one_line(
    tmp_path: Path, argv: tuple[str, ...], count: int
) -> None:
    home = Home(tmp_path)
    async with started(*limited(count, *argv), env=home.environ) as process:
        ended = await rest_of(process)
    assert ended.code == 1
    (line,) = ended.err.splitlines()
    assert re.fullmatch(
        rf"manyply[a-z-]*: {count} open files are allowed: expected 32 or more \(ulimit -n\)", line
    )


@pytest.mark.when_changed
async def test_owner_and_analysers_come_through_while_strangers_hold_all_they_get(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    argv = limited(64, *MASTER, "--listen", f"{HERE}:0")
    async with started(*argv, env=home.environ) as master:
        port = await port_of(master)
        await line_with(master, "ready")
        async with strangers(port):
            assert (await home.run("jobs")).code == 0
            dialling = (*ANALYSER, "--connect", f"{HERE}:{port}", "--workers", "1")
            async with started(*dialling, env=home.environ):
                done = await home.run("rollout", POSITION, "--trials", "36", "--truncate", "2")
                assert done.code == 0, done
        assert master.returncode is None


@pytest.mark.when_changed
async def test_master_comes_through_to_an_analyser_whose_port_strangers_hold() -> None:
    argv = limited(64, *ANALYSER, "--listen", f"{HERE}:0", "--workers", "1")
    async with started(*argv) as analyser:
        port = await port_of(analyser)
        async with strangers(port):
            await works_with(await connect_tcp(HERE, port, MasterSide()))
        assert analyser.returncode is None
