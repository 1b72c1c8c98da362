"""Slurm places analysers: the same bits, whoever is killed, preempted or back again."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.permanent import (
    LONGER,
    ROLLOUT,
    Status,
    alone,
    analysers_with,
    status,
    until_gone,
)
from tests.daemons.fleets.slurm_cluster import SlurmCluster, needs_slurm, slurm_cluster

pytestmark = needs_slurm


async def test_command_has_its_own_jobs_and_leaves_none(home: Home, tmp_path: Path) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with slurm_cluster(tmp_path / "slurm") as cluster:
        env = cluster.environ(home)
        wide = await home.run(*ROLLOUT, "--local", "0", "--fleet", "slurm:2", env=env)
        assert wide.report["alternatives"] == alone["alternatives"]
        refused = await home.run(*ROLLOUT, "--local", "0", "--fleet", "slurm:2:gold", env=env)
        assert refused.code == 1
        assert "invalid partition" in refused.complaint
        await until_gone(str(cluster.conf))
        await cluster.until("0", "sh", "-c", "squeue --noheader | wc -l")


@asynccontextmanager
async def two_jobs(folder: Path) -> AsyncIterator[tuple[SlurmCluster, Status]]:
    """Run a cluster and a master whose fleet has both of its nodes."""
    async with slurm_cluster(folder / "slurm") as cluster:
        conf = {"SLURM_CONF": str(cluster.conf)}
        async with status(Home(folder / "user"), **conf) as master:
            await master.fleet("up", "slurm:2:spare")
            await master.until_ready(2)
            yield cluster, master


async def test_preempted_job_drains_and_comes_back_and_nothing_is_computed_twice(
    home: Home, tmp_path: Path
) -> None:
    expected = await alone(home, LONGER)
    async with two_jobs(tmp_path) as (cluster, master):
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            cluster.ask("sbatch", "--partition=owner", "--output=/dev/null", "--wrap=sleep 4")
            await cluster.until("PENDING", "squeue", "--noheader", "--array", "--format=%P %T")
            # What was computed twice because of it has come by when the other node has done several
            # parts more. At the rollout's end an idle analyser may take over what another is late
            # with, as on a busy machine, and that is no matter of preemption.
            await master.home.has_stored(master.home.stored_trials() + 720)
            status = "\n".join(await master.status())
            assert "jobs running: 1\n" in status
            assert "results: 0 computed twice and equal, 0 of parts that were gone" in status
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        await master.until_ready(2)


async def test_node_that_is_killed_and_comes_back(home: Home, tmp_path: Path) -> None:
    expected = await alone(home, LONGER)
    async with two_jobs(tmp_path) as (cluster, master):
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            cluster.daemons["n1"].kill()
            for process_id in _of_node(master, "n1"):
                os.kill(process_id, signal.SIGKILL)
            await cluster.start_node("n1")
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        await master.fleet("scale", "1")
        await master.until_ready(1)
        assert analysers_with(master.mark)
        await master.fleet("down")
        await until_gone(master.mark)


def _of_node(master: Status, node: str) -> list[int]:
    """Return the processes of a node's job: the analyser, and Slurm's that looks after it."""
    found = []
    for process_id in analysers_with(master.mark):
        folder = Path("/proc") / str(process_id)
        if f"SLURMD_NODENAME={node}".encode() in (folder / "environ").read_bytes().split(b"\0"):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            found += [int(parent), process_id]
    assert found, f"nothing runs on {node}"
    return found
