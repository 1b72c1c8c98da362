"""Dask places analysers: the same bits, whoever is killed or joins, and nothing left behind."""

import asyncio
import re
import signal
import sys
from pathlib import Path

from tests.daemons.analyser_programs import HERE, line_with, started
from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.dask_cluster import dask_cluster, needs_dask
from tests.daemons.fleets.permanent import (
    LONGER,
    ROLLOUT,
    SEEN_S_MAX,
    alone,
    analysers_with,
    announced_beside_waiting,
    kill_one,
    status,
    until_gone,
)

pytestmark = needs_dask
SHORTER = tuple("1296" if word == "5184" else word for word in LONGER)


async def test_command_has_an_analyser_a_worker_and_leaves_none(home: Home, tmp_path: Path) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with dask_cluster(tmp_path / "dask") as cluster:
        wide = await home.run(*ROLLOUT, "--local", "0", "--fleet", cluster.spec)
        assert wide.report["alternatives"] == alone["alternatives"]
        assert not announced_beside_waiting(wide)
        await until_gone(cluster.mark)


async def test_no_scheduler_is_said_in_a_line(home: Home) -> None:
    ended = await home.run(*ROLLOUT, "--local", "0", "--fleet", f"dask:tcp://{HERE}:9")
    assert ended.code == 1
    assert f"no scheduler of Dask answers at tcp://{HERE}:9" in ended.complaint


async def test_analyser_and_worker_are_killed_and_a_worker_joins(
    home: Home, tmp_path: Path
) -> None:
    expected = await alone(home, LONGER)
    async with (
        dask_cluster(tmp_path / "dask") as cluster,
        status(Home(tmp_path / "user")) as master,
    ):
        await master.fleet("up", cluster.spec)
        await master.until_ready(2)
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            kill_one(cluster.mark)
            await master.until_ready(2)
            cluster.kill_one_worker()
            await cluster.add_worker()
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        lines = await master.until_ready(3)
        assert [cluster.mark in line["name"] for line in lines] == [True] * 3
        refused = await master.run("fleet", "scale", "5")
        assert "scale the Dask cluster" in refused.complaint
        await master.fleet("down")
        await until_gone(cluster.mark)


async def test_analysers_of_a_master_that_is_killed_leave(home: Home, tmp_path: Path) -> None:
    async with dask_cluster(tmp_path / "dask", worker_count=1) as cluster:
        words = (sys.executable, "-m", "master", "--listen", f"{HERE}:0")
        async with started(*words, env=home.environ) as process:
            assert re.search(r"port \d+", await line_with(process, "listening"))
            await line_with(process, "ready")
            ended = await home.run("fleet", "up", cluster.spec, "--give-up", "2")
            assert ended.code == 0, ended
            async with asyncio.timeout(SEEN_S_MAX):
                while not analysers_with(cluster.mark):  # noqa: ASYNC110  # no other process tells
                    await asyncio.sleep(0.05)
            process.kill()
        await until_gone(cluster.mark)


async def test_scheduler_that_is_killed_costs_no_trial(home: Home, tmp_path: Path) -> None:
    alone = (await home.run(*SHORTER, "--local", "2")).report
    user = Home(tmp_path / "user")
    async with dask_cluster(tmp_path / "dask") as cluster:
        fleet = ("--local", "0", "--fleet", cluster.spec)
        async with user.running(*SHORTER, *fleet) as process:
            await user.has_stored(36)
            cluster.scheduler.kill()
            await until_gone(cluster.mark)
            await line_with(process, "no analyser is ready")
            process.send_signal(signal.SIGINT)
            await rest_of(process)
    resumed = await user.run("resume", "1", "--local", "2", "--json")
    assert resumed.report["alternatives"] == alone["alternatives"]
