"""`manyply` with a master that runs: it finds it, leaves it, comes back to it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.daemons.analyser_programs import line_with, started
from tests.daemons.command_line import POSITION, Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

FLEET = f"""
[[analyser]]
name = "attic"
command = ["{sys.executable}", "-m", "analyser", "--stdio", "--workers", "1"]
"""
LONG = ("rollout", POSITION, "--trials", "100000")
GO_ON = "manyply: go on with: manyply resume 1"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    """A user whose master runs, with an analyser of its own."""
    home = Home(tmp_path)
    fleet = tmp_path / "fleet.toml"
    fleet.write_text(FLEET)
    argv = (sys.executable, "-m", "master", "--fleet", str(fleet))
    async with started(*argv, env=home.environ) as master:
        await line_with(master, "ready")
        yield home


@pytest.mark.when_changed
async def test_job_goes_on_without_its_watcher_and_is_attached_and_halted(home: Home) -> None:
    async with home.running(*LONG) as process:
        await line_with(process, "job 1: ")
        process.send_signal(signal.SIGINT)
        left = await rest_of(process)
    assert left.code == 130
    assert left.complaint == "manyply: job 1 is running; watch it with: manyply attach 1"
    async with home.running("attach") as process:
        await line_with(process, "job 1: ")
        halted = await home.run("halt", "1")
        attached = await rest_of(process)
    assert (halted.code, halted.complaint) == (0, GO_ON)
    assert (attached.code, attached.complaint) == (1, GO_ON)  # what it waited for is a part
    assert "halted" in attached.out
    assert attached.out == halted.out == (await home.run("show")).out


@pytest.mark.when_changed
async def test_job_of_a_master_is_resumed_there(home: Home) -> None:
    async with home.running(*LONG) as process:
        await line_with(process, "job 1: ")
        await home.run("halt", "1")
        await rest_of(process)
    nothing = "manyply: no job is running; `manyply jobs` lists all"
    assert (await home.run("attach")).complaint == nothing
    async with home.running("resume") as process:
        await line_with(process, "job 1: ")
        assert '"state": "running"' in (await home.run("jobs", "--json")).out


@pytest.mark.when_changed
async def test_commands_of_the_user_reach_the_master(home: Home) -> None:
    assert (await home.run("halt", "7")).complaint == "manyply: there is no job 7"
    assert (await home.run("resume")).complaint.startswith("manyply: no unfinished job")
    quick = ("--trials", "36", "--truncate", "6")
    assert (await home.run("rollout", POSITION, *quick, "--json")).report["trials"] == 36
    assert (await home.run("extend", "1", "--trials", "36", "--json")).report["trials"] == 72
    assert "72" in (await home.run("show")).out
    assert len((await home.run("jobs", "--json")).out.splitlines()) == 1


async def test_master_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nobody.sock")
    ended = await Home(tmp_path).run("jobs", "--master", nowhere)
    assert ended.code == 4
    assert ended.complaint == (
        f"manyply: no master answers at {nowhere}: No such file or directory"
    )


BARE = (sys.executable, "-m", "master")
REASON = "the master has no analyser, so nothing is computed yet"
SHOWN = (b"manyply: the master has no analyser", b"waiting for an analyser to be ready")


@pytest.mark.when_changed
async def test_master_without_analysers_is_named_as_such_in_a_pipe_and_on_a_terminal(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    async with started(*BARE, env=home.environ) as master:
        await line_with(master, "ready")
        for options in ((), ("--json",)):
            async with home.running(*LONG, *options) as process:
                assert "--local N" in await line_with(process, REASON)
        terminal, side = os.openpty()
        environ = home.environ | {"TERM": "xterm", "COLUMNS": "200"}
        async with home.running(*LONG, stderr=side, env=environ):
            os.close(side)
            shown = b""
            async with asyncio.timeout(20):
                while not all(words in shown for words in SHOWN):
                    shown += await asyncio.to_thread(os.read, terminal, 65536)
        os.close(terminal)


@pytest.mark.when_changed
async def test_master_with_workers_of_its_own_needs_nobody(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with started(*BARE, "--local", "1", env=home.environ) as master:
        await line_with(master, "ready")
        done = await home.run("rollout", POSITION, "--trials", "36", "--truncate", "2", "--json")
        assert done.report["trials"] == 36
        assert "has no analyser" not in done.err
        master.send_signal(signal.SIGTERM)
        assert (await rest_of(master)).code == 0
