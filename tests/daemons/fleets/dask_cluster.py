"""Dask on this machine: a scheduler, and workers of one thread with a nanny each."""

import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.daemons.analyser_programs import ENVIRON, HERE, Process, line_with, started
from tests.daemons.fleets.permanent import analysers_with

needs_dask = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.xdist_group("dask"),
]

LEAN = {
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}
"""What deploy/dask.md tells those whose workers only keep analysers to set."""

_DASK = (sys.executable, "-m", "dask")


@dataclass
class DaskCluster:
    """A running cluster.

    Args:
        address: its scheduler's.
        mark: its workers' names begin with it, those of no other cluster do.
    """

    address: str
    scheduler: Process
    environ: dict[str, str]
    stack: AsyncExitStack
    mark: str = field(default_factory=lambda: f"t{secrets.token_hex(4)}")
    worker_count: int = 0

    @property
    def spec(self) -> str:
        """The fleet on it."""
        return f"dask:{self.address}"

    async def add_worker(self) -> None:
        """Start one that the scheduler knows at the end."""
        words = ("worker", self.address, "--host", HERE, "--nthreads", "1", "--no-dashboard")
        name = ("--name", f"{self.mark}-{self.worker_count}")
        self.worker_count += 1
        worker = started(*_DASK, *words, *name, env=self.environ)
        await line_with(await self.stack.enter_async_context(worker), "Registered to")

    def kill_one_worker(self) -> None:
        """Kill the process that has an analyser below it; its nanny starts another one."""
        stat = Path(f"/proc/{min(analysers_with(self.mark))}/stat").read_text()
        os.kill(int(stat.rpartition(")")[2].split()[1]), signal.SIGKILL)


@asynccontextmanager
async def dask_cluster(
    folder: Path, worker_count: int = 2, settings: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[DaskCluster]:
    """Run one, whose environment has some more settings."""
    folder.mkdir()  # noqa: ASYNC240  # one folder
    own = {"DASK_CONFIG": str(folder), "DASK_TEMPORARY_DIRECTORY": str(folder)}
    environ = {**ENVIRON, **own, **settings}
    words = ("scheduler", "--host", HERE, "--port", "0", "--no-dashboard")
    async with AsyncExitStack() as stack:
        scheduler = await stack.enter_async_context(started(*_DASK, *words, env=environ))
        said = await line_with(scheduler, "Scheduler at:")
        cluster = DaskCluster(said.split()[-1], scheduler, environ, stack)
        for _ in range(worker_count):
            await cluster.add_worker()
        yield cluster
