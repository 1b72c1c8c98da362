"""Debian's Grid Engine on this machine: a master, an execution host with two slots."""

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

from tests.daemons.analyser_programs import HERE, started
from tests.daemons.command_line import Home

START_S_MAX = 30.0
IS_THERE = all(shutil.which(name) for name in ("sge_qmaster", "sge_execd", "qsub"))

needs_grid_engine = [
    pytest.mark.skipif(
        not IS_THERE, reason="gridengine-master, gridengine-exec, gridengine-client are missing"
    ),
    pytest.mark.skipif(os.getuid() != 0, reason="Grid Engine's daemons take root here"),
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(240),
    pytest.mark.xdist_group("grid engine"),
]

_TOOLS = Path("/usr/lib/gridengine")
_SHARED = Path("/usr/share/gridengine")

_BOOTSTRAP = """\
admin_user root
default_domain none
ignore_fqdn false
spooling_method classic
spooling_lib libspoolc
spooling_params {folder}/cell/common;{folder}/qmaster
binary_path /usr/sbin
qmaster_spool_dir {folder}/qmaster
security_mode none
listener_threads 2
worker_threads 2
scheduler_threads 1
"""

_GLOBAL = {
    "min_uid": "0",
    "min_gid": "0",
    "load_report_time": "00:00:01",
    "reporting_params": "accounting=true reporting=false flush_time=00:00:01",
}
"""Of its configuration: root may submit; the host is heard of at once, and how a job ended soon."""

_SCHEDULER = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}

_QUEUE = {
    "qname": "spare", "hostlist": "{host}", "seq_no": "0", "load_thresholds": "NONE",
    "suspend_thresholds": "NONE", "nsuspend": "1", "suspend_interval": "00:05:00", "priority": "0",
    "min_cpu_interval": "00:05:00", "processors": "UNDEFINED", "qtype": "BATCH",
    "ckpt_list": "NONE", "pe_list": "NONE", "rerun": "FALSE", "slots": "2", "tmpdir": "/tmp",
    "shell": "/bin/sh", "prolog": "NONE", "epilog": "NONE", "shell_start_mode": "posix_compliant",
    "starter_method": "NONE", "suspend_method": "NONE", "resume_method": "NONE",
    "terminate_method": "NONE", "notify": "00:00:30", "owner_list": "NONE", "user_lists": "NONE",
    "xuser_lists": "NONE", "subordinate_list": "NONE", "complex_values": "NONE",
    "projects": "NONE", "xprojects": "NONE", "calendar": "NONE", "initial_state": "default",
} | {
    f"{kind}_{limit}": "INFINITY"
    for kind in "sh"
    for limit in ("rt", "cpu", "fsize", "data", "stack", "core", "rss", "vmem")
}  # fmt: skip
"""The file has all of its fields.  A job that is deleted has 30 s to drain."""


@dataclass
class GridEngineCluster:
    """A running cluster, and how to ask it."""

    folder: Path
    variables: dict[str, str]

    def environ(self, home: Home) -> dict[str, str]:
        """Return the environment of a command that uses this cluster."""
        return home.environ | self.variables

    def ask(self, *argv: str) -> str:
        """Return what a command of Grid Engine prints."""
        environ = os.environ | self.variables
        ended = run(argv, env=environ, capture_output=True, text=True, check=False, timeout=30)
        return ended.stdout + ended.stderr

    async def until(self, expected: str, *argv: str) -> None:
        """Ask until a word is in the answer; empty: until it is empty."""
        said = ""
        try:
            async with asyncio.timeout(START_S_MAX):
                while not _is_said(expected, said := self.ask(*argv)):  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0.05)
        except TimeoutError:
            raise AssertionError(f"no {expected!r} from {argv}: {said}") from None


def _is_said(expected: str, said: str) -> bool:
    return expected in said if expected else not said.strip()


@asynccontextmanager
async def grid_engine_cluster(folder: Path) -> AsyncIterator[GridEngineCluster]:
    """Run one; at its end nothing of it is left."""
    cluster = GridEngineCluster(folder, _variables(folder))
    _make_cell(cluster)
    async with AsyncExitStack() as stack:
        await _start("sge_qmaster", cluster, stack)
        host = socket.gethostname()
        await cluster.until("submit host list", "qconf", "-as", host)
        scheduling = _changed(cluster.ask("qconf", "-ssconf"), _SCHEDULER)
        (folder / "scheduler").write_text(scheduling)
        cluster.ask("qconf", "-Msconf", str(folder / "scheduler"))
        await _start("sge_execd", cluster, stack)
        words = "".join(f"{key} {value}\n" for key, value in _QUEUE.items())
        (folder / "queue").write_text(words.format(host=host))
        cluster.ask("qconf", "-Aq", str(folder / "queue"))
        await cluster.until("spare@", "qstat", "-f")
        stack.push_async_callback(_end_jobs, cluster)
        yield cluster


def _variables(folder: Path) -> dict[str, str]:
    """Return what tells this cluster's programs where it is."""
    socks = [socket.create_server((HERE, 0)) for _ in range(2)]
    try:
        ports = [str(sock.getsockname()[1]) for sock in socks]
    finally:
        for sock in socks:
            sock.close()
    return {
        "SGE_ROOT": str(folder),
        "SGE_CELL": "cell",
        "SGE_QMASTER_PORT": ports[0],
        "SGE_EXECD_PORT": ports[1],
    }


def _make_cell(cluster: GridEngineCluster) -> None:
    """Write its files, as its installation would."""
    folder = cluster.folder
    common, spool = folder / "cell" / "common", folder / "qmaster"
    common.mkdir(parents=True)
    (spool / "job_scripts").mkdir(parents=True)
    (folder / "execd").mkdir()
    for name in ("bin", "lib", "util", "utilbin"):
        (folder / name).symlink_to(f"/var/lib/gridengine/{name}")
    host = socket.gethostname()
    (common / "bootstrap").write_text(_BOOTSTRAP.format(folder=folder))
    (common / "act_qmaster").write_text(f"{host}\n")
    (common / "host_aliases").write_text(f"{host} localhost\n")
    values = _GLOBAL | {"execd_spool_dir": str(folder / "execd")}
    text = (_SHARED / "default-configuration").read_text()
    (folder / "configuration").write_text(_changed(text, values))
    cluster.ask(f"{_TOOLS}/spoolinit", "classic", "libspoolc", f"{common};{spool}", "init")
    for what in (
        ("configuration", str(folder / "configuration")),
        ("complexes", str(_SHARED / "util/resources/centry")),
        ("usersets", str(_SHARED / "util/resources/usersets")),
        ("managers", "root"),
    ):
        cluster.ask(f"{_TOOLS}/spooldefaults", *what)


def _changed(text: str, values: dict[str, str]) -> str:
    """Return a table of names and values with some of them changed."""
    lines = [line.split(maxsplit=1) for line in text.splitlines()]
    return "".join(f"{words[0]} {values.get(words[0], words[1])}\n" for words in lines
                   if len(words) == 2 and words[0] != "#")  # fmt: skip


async def _start(name: str, cluster: GridEngineCluster, stack: AsyncExitStack) -> None:
    """Start a daemon that stays our child."""
    log = (cluster.folder / f"{name}.out").open("wb")
    stack.callback(log.close)
    environ = os.environ | cluster.variables | {"SGE_ND": "1"}
    await stack.enter_async_context(started(name, stdout=log, stderr=log, env=environ))


async def _end_jobs(cluster: GridEngineCluster) -> None:
    """Delete what a failed test has left."""
    cluster.ask("qdel", "-u", "root")
    await cluster.until("", "qstat")
