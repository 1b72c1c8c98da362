"""Ray places analysers: the same bits, whoever is killed, and nothing left behind."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.permanent import (
    LONGER,
    ROLLOUT,
    alone,
    analysers_with,
    announced_beside_waiting,
    status,
    until_gone,
)
from tests.daemons.fleets.ray_cluster import IS_THERE, ray_cluster, short_folder

pytestmark = [
    pytest.mark.skipif(not IS_THERE, reason="ray is not installed"),
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.xdist_group("ray"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    with short_folder() as path:
        yield path


async def test_command_has_actors_and_leaves_no_analyser(home: Home, folder: Path) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with ray_cluster(folder) as address:
        wide = await home.run(*ROLLOUT, "--local", "0", "--fleet", f"ray:{address}")
        assert wide.report["alternatives"] == alone["alternatives"]
        assert not announced_beside_waiting(wide)


async def test_analyser_and_actor_are_killed_and_the_fleet_is_resized(
    home: Home, folder: Path, tmp_path: Path
) -> None:
    expected = await alone(home, LONGER)
    async with ray_cluster(folder) as address, status(Home(tmp_path / "user")) as master:
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
