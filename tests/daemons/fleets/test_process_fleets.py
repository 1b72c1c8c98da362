"""Fleets of processes, here and over ssh: the same bits, scaled, killed, and nothing left."""

import asyncio
import json
import os
import pwd
import shutil
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.daemons.analyser_programs import HERE, STEP_S_MAX, started
from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.permanent import (
    LONGER,
    ROLLOUT,
    alone,
    analysers_with,
    kill_one,
    status,
    until_gone,
)

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
SSHD = "/usr/sbin/sshd"


@dataclass
class SshServer:
    """Debian's sshd on loopback, with a key, a home and a program of its own."""

    port: int
    folder: Path

    def environ(self, home: Home) -> dict[str, str]:
        """Return the environment of a command whose `ssh` finds this server and its key."""
        return home.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"}


def _write_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@asynccontextmanager
async def ssh_server(folder: Path) -> AsyncIterator[SshServer]:
    """Run one; on the other side `manyply-analyser` is this tree's."""
    for name in ("host", "key"):
        words = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
        async with started(*words) as process:
            assert await process.wait() == 0
    (folder / "authorized").write_text((folder / "key.pub").read_text())
    (folder / "authorized").chmod(0o600)
    there = folder / "there"
    there.mkdir()
    root = Path(__file__).parents[3]
    _write_program(
        there / "manyply-analyser",
        f"cd {root} && XDG_CACHE_HOME={folder} PYTHONPATH={root} exec {sys.executable} -m analyser"
        f' "$@" --name over-{folder.parent.name}',
    )
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    user = pwd.getpwuid(os.getuid()).pw_name
    options = {
        "Port": port, "ListenAddress": HERE, "HostKey": folder / "host", "PidFile": "none",
        "AuthorizedKeysFile": folder / "authorized", "StrictModes": "no", "UsePAM": "no",
        "PermitRootLogin": "yes", "SetEnv": f"PATH={there}:{os.environ['PATH']}",
    }  # fmt: skip
    (folder / "sshd_config").write_text("".join(f"{k} {v}\n" for k, v in options.items()))
    _write_program(
        folder / "ssh",
        f"exec {shutil.which('ssh')} -p {port} -i {folder}/key -l {user} -F none"
        f" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
        ' "$@"',
    )
    os.makedirs("/run/sshd", exist_ok=True)  # privilege separation
    async with started(SSHD, "-D", "-e", "-f", str(folder / "sshd_config")):
        async with asyncio.timeout(STEP_S_MAX):
            while not await _answers(port):  # noqa: ASYNC110  # no other process tells
                await asyncio.sleep(0.02)
        yield SshServer(port, folder)


async def _answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HERE, port)
    except ConnectionError:
        return False
    writer.close()
    return True


async def test_fleet_of_this_machine_gives_the_same_bits_after_any_kill(home: Home) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with home.running(*ROLLOUT, "--fleet", "local:2") as process:
        async with asyncio.timeout(STEP_S_MAX):
            while not home.stored_trials(job=2):  # noqa: ASYNC110  # no other process tells
                await asyncio.sleep(0.01)
        children = [int(pid) for pid in _children(process.pid)]
        os.kill(children[0], signal.SIGKILL)
        out, _ = await process.communicate()
    assert alone["alternatives"] == _report(out)["alternatives"]
    assert not [pid for pid in children if _runs(pid)], "left behind"


def _runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def _children(pid: int) -> list[str]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [word for task in tasks for word in (task / "children").read_text().split()]


def _report(out: bytes) -> dict[str, object]:
    report: dict[str, object] = json.loads(out)
    return report


@pytest.mark.skipif(not Path(SSHD).exists(), reason="openssh-server is not installed")
@pytest.mark.skipif(os.getuid() != 0, reason="sshd takes root to start")
async def test_fleet_over_ssh_gives_the_same_bits_and_leaves_nothing(
    home: Home, tmp_path: Path
) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    folder = tmp_path / "ssh"
    folder.mkdir()
    async with ssh_server(folder) as server:
        over = (*ROLLOUT, "--local", "0", "--fleet", "ssh:attic.invalid:1")
        ended = await home.run(*over[:-1], f"ssh:{HERE}:1", env=server.environ(home))
    assert ended.report["alternatives"] == alone["alternatives"]
    await until_gone(f"over-{tmp_path.name}")


async def test_host_that_cannot_be_reached_is_named(home: Home) -> None:
    fleet = ("--local", "0", "--fleet", "ssh:nowhere.invalid")
    ended = await home.run(*ROLLOUT, *fleet)
    assert ended.code == 1
    assert "nowhere.invalid" in ended.complaint


@pytest.mark.timeout(240)
async def test_fleet_works_for_its_master_after_any_kill(home: Home) -> None:
    expected = await alone(home, LONGER)
    async with status(Home(home.directory / "other")) as master:
        said = (await master.fleet("up", "local:2", "--name", "desk")).out
        assert said == f"desk: local:2, 2 analysers, dialling 127.0.0.1:{master.port}\n"
        await master.until_ready(2)
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            kill_one(master.mark)
            await master.fleet("scale", "3", "desk")
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        lines = await master.until_ready(3)
        assert sum(line["trials"] > 0 for line in lines) >= 2
        await master.fleet("scale", "1")
        await master.until_ready(1)
        await master.fleet("down")
        await until_gone(master.mark)


@pytest.mark.timeout(240)
async def test_fleet_outlives_its_master_for_a_restart_and_no_longer(home: Home) -> None:
    async with status(home) as master:
        await master.fleet("up", "local:1", "--give-up", "3")
        await master.until_ready(1)
    assert (await home.run("fleet", "list")).out.startswith("There is no fleet")
    await until_gone(master.mark)


@pytest.mark.timeout(240)
async def test_analyser_of_a_fleet_that_is_down_is_not_let_in_again(home: Home) -> None:
    async with status(home) as master:
        await master.fleet("up", "local:1", "--give-up", "5")
        [line] = await master.until_ready(1)
        [secret] = (home.state / "fleets").glob("*.secret")
        secret.unlink()
        kill_one(line["name"])
        refused = await master.fleet("list")
        assert "lost" in refused.out
        ended = await master.run("fleet", "scale", "1")
        assert (ended.code, ended.complaint) == (2, "manyply: the secret of fleet 'local' is gone")


@pytest.mark.timeout(240)
async def test_rollout_of_a_command_with_the_same_fleet_is_the_same(home: Home) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with status(home) as master:
        await master.fleet("up", "local:1", "local:1")
        await master.until_ready(2)
        wide = await master.run(*ROLLOUT)
        assert wide.report["alternatives"] == alone["alternatives"]
        assert len(analysers_with(master.mark)) == 2
