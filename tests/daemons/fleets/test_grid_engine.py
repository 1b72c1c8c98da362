"""Grid Engine places analysers: the same bits, whoever is killed or deleted; nothing is left."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.daemons.analyser_programs import HERE
from tests.daemons.command_line import POSITION, Home, rest_of
from tests.daemons.fleets.grid_engine_cluster import (
    GridEngineCluster,
    grid_engine_cluster,
    needs_grid_engine,
)
from tests.daemons.fleets.permanent import (
    Status,
    alone,
    kill_one,
    status,
    until_gone,
)

pytestmark = needs_grid_engine

SOME = ("rollout", POSITION, "--trials", "2160", "--plies", "0", "--json")
"""A second or two of two workers."""


@asynccontextmanager
async def two_jobs(folder: Path) -> AsyncIterator[tuple[GridEngineCluster, Status]]:
    """Run a cluster and a master whose fleet has both of its slots."""
    async with (
        grid_engine_cluster(folder / "sge") as cluster,
        status(Home(folder / "user"), **cluster.variables) as master,
    ):
        await master.fleet("up", "sge:2:spare", "--dial", HERE)
        await master.until_ready(2)
        yield cluster, master


def kept_files(home: Home) -> list[str]:
    """Return what is kept of fleets."""
    return [path.name for path in (home.state / "fleets").iterdir()]


async def test_command_has_its_own_jobs_and_leaves_none_even_if_one_is_killed(
    home: Home, tmp_path: Path
) -> None:
    expected = await alone(home, SOME)
    user = Home(tmp_path / "user")
    async with grid_engine_cluster(tmp_path / "sge") as cluster:
        mark, env = str(cluster.folder), cluster.environ(user)
        words = (*SOME, "--local", "0", "--fleet")
        refused = await user.run(*words, "sge:2:gold", env=env)
        assert refused.code == 1
        assert 'job requests unknown queue "gold"' in refused.complaint
        assert kept_files(user) == []
        async with user.running(*words, "sge:2", env=env) as process:
            await user.has_stored(36)
            kill_one(mark)
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        await until_gone(mark)
        await cluster.until("", "qstat")
        assert kept_files(user) == []


async def test_deleted_job_drains_and_fleet_that_goes_down_leaves_nothing(
    home: Home, tmp_path: Path
) -> None:
    expected = await alone(home, SOME)
    async with two_jobs(tmp_path) as (cluster, master):
        assert_secret_is_its_owners_alone(cluster, master.home)
        async with master.home.running(*SOME, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            [job] = {*_numbers(cluster)}
            assert "registered the job" in cluster.ask("qdel", job, "-t", "1")
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        status = "\n".join(await master.status())
        assert "results: 0 computed twice and equal, 0 of parts that were gone" in status
        await cluster.until("exit_status  0 ", "qacct", "-j", job, "-t", "1")  # it was not killed
        [left] = await master.until_ready(1)
        assert left["name"] == f"sge-{job}-2"
        await master.fleet("scale", "2")
        await master.until_ready(2)
        await master.fleet("down")
        await until_gone(master.mark)
        await cluster.until("", "qstat")
        assert kept_files(master.home) == []


def assert_secret_is_its_owners_alone(cluster: GridEngineCluster, home: Home) -> None:
    """Its file is, and the scripts that Grid Engine shows everybody have it not."""
    [folder] = (home.state / "fleets").glob("*.jobs")
    secret = folder / "secret"
    assert [path.stat().st_mode & 0o777 for path in (folder, secret)] == [0o700, 0o600]
    spooled = [*(cluster.folder / "qmaster" / "job_scripts").rglob("*")]
    scripts = [path.read_text() for path in spooled if path.is_file()]
    assert any(str(secret) in script for script in scripts)
    assert not any(secret.read_text().strip() in script for script in scripts)


def _numbers(cluster: GridEngineCluster) -> list[str]:
    return re.findall(r"^ *([0-9]+) ", cluster.ask("qstat"), re.M)
