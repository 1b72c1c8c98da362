"""Debian's Slurm on this machine: a controller, two nodes of one processor, munge."""

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import run

import pytest

from tests.daemons.analyser_programs import HERE, Process, started
from tests.daemons.command_line import Home

START_S_MAX = 30.0
NODES = ("n1", "n2")
IS_THERE = all(shutil.which(name) for name in ("slurmctld", "slurmd", "sbatch", "munged"))

needs_slurm = [
    pytest.mark.skipif(not IS_THERE, reason="slurmctld, slurmd, slurm-client, munge are missing"),
    pytest.mark.skipif(os.getuid() != 0, reason="Slurm's daemons take root here"),
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.xdist_group("slurm"),
]

_CONF = """\
ClusterName=ci
SlurmctldHost={host}({here})
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5,socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/d.%n.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/d.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2,batch_sched_delay=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
KillWait=35
SlurmdTimeout=6
BatchStartTimeout=2
ReturnToService=2
NodeName=n1 NodeHostname={host} NodeAddr={here} Port={ports[1]} CPUs=1 RealMemory=500 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr={here} Port={ports[2]} CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=spare Nodes=ALL Default=YES PriorityTier=1 MaxTime=INFINITE State=UP
PartitionName=owner Nodes=ALL PriorityTier=10 PreemptMode=OFF MaxTime=INFINITE State=UP
"""
"""A job in `owner` preempts one in `spare`."""


@dataclass
class SlurmCluster:
    """A running cluster, and how to ask it."""

    folder: Path
    daemons: dict[str, Process]
    stack: AsyncExitStack

    @property
    def conf(self) -> Path:
        return self.folder / "slurm.conf"

    def environ(self, home: Home) -> dict[str, str]:
        """Return the environment of a command that uses this cluster."""
        return home.environ | {"SLURM_CONF": str(self.conf)}

    def ask(self, *argv: str) -> str:
        """Return what a command of Slurm prints."""
        environ = os.environ | {"SLURM_CONF": str(self.conf)}
        ended = run(argv, env=environ, capture_output=True, text=True, check=False, timeout=30)
        return ended.stdout

    async def until(self, expected: str, *argv: str, within_s: float = START_S_MAX) -> None:
        """Ask until a word is in the answer."""
        said = ""
        try:
            async with asyncio.timeout(within_s):
                while expected not in (said := self.ask(*argv)):  # noqa: ASYNC110  # it tells nobody
                    await asyncio.sleep(0.1)
        except TimeoutError:
            raise AssertionError(f"no {expected!r} from {argv}: {said}") from None

    async def start_node(self, name: str) -> None:
        """Start the daemon of a node."""
        words = ("slurmd", "-D", "-f", str(self.conf), "-N", name)
        log = (self.folder / f"{name}.out").open("wb")
        self.stack.callback(log.close)
        process = started(*words, stdout=log, stderr=log, env=dict(os.environ))
        self.daemons[name] = await self.stack.enter_async_context(process)


@asynccontextmanager
async def slurm_cluster(folder: Path) -> AsyncIterator[SlurmCluster]:
    """Run one; at its end nothing of it is left."""
    ports = _free_ports(3)
    (folder / "state").mkdir(parents=True)
    host = socket.gethostname().partition(".")[0]
    (folder / "slurm.conf").write_text(
        _CONF.format(host=host, here=HERE, ports=ports, folder=folder)
    )
    async with AsyncExitStack() as stack:
        await _start_munge(folder, stack)
        cluster = SlurmCluster(folder, {}, stack)
        log = (folder / "slurmctld.out").open("wb")
        stack.callback(log.close)
        words = ("slurmctld", "-D", "-f", str(cluster.conf))
        environ = os.environ | {"SLURM_CONF": str(cluster.conf)}
        await stack.enter_async_context(started(*words, stdout=log, stderr=log, env=environ))
        for name in NODES:
            await cluster.start_node(name)
        try:
            await cluster.until("idle 2", "sinfo", "--noheader", "--format=%T %D")
            yield cluster
        finally:
            cluster.ask("scancel", "--signal=KILL", "--full", "--user=root")
            cluster.ask("scancel", "--user=root")


async def _start_munge(folder: Path, stack: AsyncExitStack) -> None:
    """Start a munged of this cluster's own, which is root's."""
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    files = (f"--key-file={key}", f"--socket={folder}/munge.socket", f"--pid-file={folder}/m.pid")
    logs = (f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
    words = ("munged", "--foreground", "--force", *files, *logs)
    quiet = {"stdout": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.DEVNULL}
    await stack.enter_async_context(started(*words, **quiet, env=dict(os.environ)))
    async with asyncio.timeout(START_S_MAX):
        while not (folder / "munge.socket").exists():  # noqa: ASYNC110  # nobody tells
            await asyncio.sleep(0.02)


def _free_ports(count: int) -> list[int]:
    socks = [socket.create_server((HERE, 0)) for _ in range(count)]
    try:
        return [sock.getsockname()[1] for sock in socks]
    finally:
        for sock in socks:
            sock.close()
