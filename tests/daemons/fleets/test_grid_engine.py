"""Grid Engine places analysers: the same bits, whoever is killed or deleted; nothing is left."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.daemons.analyser_programs import HERE
from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.grid_engine_cluster import (
    GridEngineCluster,
    grid_engine_cluster,
    needs_grid_engine,
)
from tests.daemons.fleets.standing import (
    LONGER,
    ROLLOUT,
    Standing,
    alone,
    analysers_with,
    kill_one,
    standing,
    until_gone,
)

pytestmark = needs_grid_engine


@asynccontextmanager
async def two_jobs(folder: Path) -> AsyncIterator[tuple[GridEngineCluster, Standing]]:
    """Run a cluster and a master whose fleet has both of its slots."""
    async with grid_engine_cluster(folder / "sge") as cluster:
        async with standing(Home(folder / "user"), **cluster.variables) as master:
            await master.fleet("up", "sge:2:spare", "--dial", HERE)
            await master.until_ready(2)
            yield cluster, master


def kept_files(home: Home) -> list[str]:
    """Return what is kept of fleets."""
    return [path.name for path in (home.state / "fleets").iterdir()]


async def test_command_has_its_own_jobs_and_leaves_none(home: Home, tmp_path: Path) -> None:
    expected = (await home.run(*ROLLOUT, "--local", "1")).report["alternatives"]
    async with grid_engine_cluster(tmp_path / "sge") as cluster:
        env = cluster.environ(home)
        wide = await home.run(*ROLLOUT, "--local", "0", "--fleet", "sge:2", env=env)
        assert wide.report["alternatives"] == expected
        refused = await home.run(*ROLLOUT, "--local", "0", "--fleet", "sge:2:gold", env=env)
        assert refused.code == 1
        assert 'qsub: Unable to run job: Job was rejected because job requests unknown queue "gold"' in (
            refused.complaint
        )
        await until_gone(str(cluster.folder))
        await cluster.until("", "qstat")
        assert kept_files(home) == []


async def test_deleted_job_drains_and_killed_one_is_replaced(home: Home, tmp_path: Path) -> None:
    expected = await alone(home, LONGER)
    async with two_jobs(tmp_path) as (cluster, master):
        [folder] = (master.home.state / "fleets").glob("*.jobs")
        secret = (folder / "secret").read_text().strip()
        assert (folder.stat().st_mode & 0o777, (folder / "secret").stat().st_mode & 0o777) == (
            0o700, 0o600,
        )  # fmt: skip
        spooled = [*(cluster.folder / "qmaster" / "job_scripts").iterdir()]
        assert spooled
        assert not any(secret in path.read_text() for path in spooled)

        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            first = min(_numbers(cluster))
            assert "registered the job" in cluster.ask("qdel", str(first))
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        status = "\n".join(await master.status())
        assert "results: 0 computed twice and equal, 0 of parts that were gone" in status
        [left] = await master.until_ready(1)
        assert left["name"] == f"sge-{first + 1}"

        await master.fleet("scale", "2")
        await master.until_ready(2)
        await master.run("forget", "1")
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            kill_one(master.mark)
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        await master.until_ready(1)
        await master.fleet("down")
        await until_gone(master.mark)
        await cluster.until("", "qstat")
        assert not analysers_with(master.mark)
        assert kept_files(master.home) == []


def _numbers(cluster: GridEngineCluster) -> list[int]:
    return [int(number) for number in re.findall(r"^ *([0-9]+) ", cluster.ask("qstat"), re.M)]
