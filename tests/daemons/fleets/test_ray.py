"""Ray places analysers: the same bits, whoever is killed, and nothing left behind."""

import importlib.util
import os
import signal
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.daemons.analyser_programs import HERE, Process, line_with, started
from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.standing import (
    LONGER,
    ROLLOUT,
    alone,
    analysers_with,
    standing,
    until_gone,
)

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed"),
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(150),
    pytest.mark.xdist_group("ray"),
]
STARTED = "Ray runtime started"


@asynccontextmanager
async def ray_cluster(folder: Path) -> AsyncIterator[str]:
    """Run a head node of two processors; yield its address."""
    with socket.create_server((HERE, 0)) as free:
        address = f"{HERE}:{free.getsockname()[1]}"
    words = (
        "start", "--head", "--block", f"--node-ip-address={HERE}",
        f"--port={address.partition(':')[2]}", "--num-cpus=2", "--include-dashboard=false",
        "--object-store-memory=80000000", "--disable-usage-stats", f"--temp-dir={folder}",
    )  # fmt: skip
    program = (sys.executable, "-c", "from ray.scripts.scripts import main; main()")
    one_stream = ("sh", "-c", 'exec "$0" "$@" 1>&2')
    async with started(*one_stream, *program, *words) as process:
        await line_with(process, STARTED)
        try:
            yield address
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    """Have it end all that it has started; killed, it would leave that behind."""
    process.terminate()
    await process.wait()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short path, as the names of sockets in it are at most 107 bytes long."""
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as path:
        yield Path(path)


async def test_command_has_actors_and_leaves_no_analyser(home: Home, folder: Path) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with ray_cluster(folder) as address:
        wide = await home.run(*ROLLOUT, "--local", "0", "--fleet", f"ray:{address}")
        assert wide.report["alternatives"] == alone["alternatives"]
        assert wide.err == ""


async def test_analyser_and_actor_are_killed_and_the_fleet_is_resized(
    home: Home, folder: Path, tmp_path: Path
) -> None:
    expected = await alone(home, LONGER)
    async with ray_cluster(folder) as address, standing(Home(tmp_path / "user")) as master:
        await master.fleet("up", f"ray:{address}:2")
        lines = await master.until_ready(2)
        ticket = lines[0]["name"].rsplit("-", 2)[0]
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            first, second, *_ = analysers_with(ticket)
            os.kill(first, signal.SIGKILL)
            stat = Path(f"/proc/{second}/stat").read_text()  # noqa: ASYNC240  # no disk
            os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        await master.until_ready(2)
        await master.fleet("scale", "1")
        await master.until_ready(1)
        await master.fleet("down")
        await until_gone(ticket)
