"""`manyply` with analysers that fail, a master that runs, and folders that cannot be used."""

import asyncio
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from master.config.paths import database_path
from master.games.backgammon.position_reports import move_report
from master.games.backgammon.typed import read_id
from master.store.schema import APPLICATION_ID
from tests.daemons.analyser_programs import (
    ANALYSER,
    FLEET,
    HERE,
    analysers_at,
    line_with,
    listening,
    started,
)
from tests.daemons.command_line import MANYPLY, POSITION, RUN_S_MAX, Home, rest_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

ROLLOUT = ("rollout", POSITION, "--trials", "72", "--truncate", "6")

SAYINGS = {
    "noise": bytes(range(256)) * 40,
    "web-page": b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n\r\n<html>\r\n",
    "endless-line": b"a" * 5_000_000,
    "other-version": b"analyser 3.0 name=new cores=1 session= games=backgammon "
    b"line_bytes_max=65536 unacked_max=65536 first_unacked=1\n",
    "nothing": b"",
}


@asynccontextmanager
async def saying(words: bytes) -> AsyncIterator[int]:
    """Listen on a free port; say the same to everybody, and hang up."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            writer.write(words)
            await writer.drain()
        except OSError:
            pass  # The caller has hung up first, as it may.
        finally:
            writer.close()

    server = await asyncio.start_server(answer, HERE, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.sockets
@pytest.mark.parametrize("words", SAYINGS.values(), ids=SAYINGS)
@pytest.mark.when_changed
async def test_analyser_that_talks_nonsense_is_a_warning(home: Home, words: bytes) -> None:
    async with saying(words) as port:
        ended = await home.run(*ROLLOUT, "--local", "1", "--analyser", f"{HERE}:{port}")
    assert ended.code == 0, ended
    assert "72 trials, complete" in ended.out
    warnings = [line for line in ended.err.splitlines() if "warning" in line]
    assert any(f"analyser {HERE}:{port}" in line for line in warnings), ended.err
    assert "Traceback" not in ended.err
    assert all(len(line) < 400 for line in ended.err.splitlines())


@pytest.mark.sockets
@pytest.mark.parametrize("words", SAYINGS.values(), ids=SAYINGS)
@pytest.mark.when_changed
async def test_nonsense_alone_is_one_line(home: Home, words: bytes) -> None:
    async with saying(words) as port:
        address = f"{HERE}:{port}"
        ended = await home.run(*ROLLOUT, "--local", "0", "--analyser", address)
    assert ended.code == 1
    assert ended.complaint.startswith(f"manyply: no analyser can be used: {address}: ")
    assert len(ended.err.splitlines()) == 1
    assert ended.out == ""


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_other_version_is_named(home: Home) -> None:
    async with saying(SAYINGS["other-version"]) as port:
        ended = await home.run(*ROLLOUT, "--local", "0", "--analyser", f"{HERE}:{port}")
    assert "version" in ended.complaint


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_unreachable_analyser_is_a_warning(home: Home) -> None:
    with socket.socket() as closed:
        closed.bind((HERE, 0))
        address = f"{HERE}:{closed.getsockname()[1]}"
        async with listening("--workers", "1") as (_, port):
            both = ("--analyser", address, "--analyser", f"{HERE}:{port}")
            ended = await home.run(*ROLLOUT, "--local", "0", *both)
    assert ended.code == 0, ended
    assert f"analyser {address}: cannot connect: Connection refused" in ended.err


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_job_waits_for_analysers_that_cannot_be_reached_yet(home: Home) -> None:
    with socket.socket() as reserved:
        reserved.bind((HERE, 0))
        address = f"{HERE}:{reserved.getsockname()[1]}"
        fleet = ("--local", "0", "--analyser", address, "--json")
        async with home.running(*ROLLOUT, *fleet, stderr=asyncio.subprocess.PIPE) as process:
            assert process.stderr is not None
            line = (await process.stderr.readline()).decode()
            assert line.startswith(f"manyply: no analyser can be reached yet ({address}): ")
            async with asyncio.timeout(RUN_S_MAX):
                while not home.has_job():  # noqa: ASYNC110  # no other process tells
                    await asyncio.sleep(0.02)
            process.send_signal(signal.SIGINT)
            ended = await rest_of(process)
        assert ended.code == 130
        assert ended.complaint == "manyply: go on with: manyply resume 1"
    resumed = await home.run("resume", "--local", "1", "--json")
    assert (resumed.report["trials"], resumed.report["stopped_by"]) == (72, "trials")


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_analyser_that_is_started_late_does_the_job(home: Home) -> None:
    with socket.socket() as reserved:
        reserved.bind((HERE, 0))
        address = f"{HERE}:{reserved.getsockname()[1]}"
        fleet = ("--local", "0", "--analyser", address, "--json")
        async with home.running(*ROLLOUT, *fleet, stderr=asyncio.subprocess.PIPE) as process:
            assert process.stderr is not None
            await process.stderr.readline()
            reserved.close()
            async with started(*ANALYSER, "--listen", address, "--workers", "1"):
                ended = await rest_of(process)
    assert (ended.code, ended.report["trials"]) == (0, 72)


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_busy_analyser_is_a_warning_that_names_its_master(home: Home) -> None:
    long = ("rollout", POSITION, "--local", "0")
    async with listening("--workers", "1") as (_, port):
        mine = ("--analyser", f"{HERE}:{port}")
        async with home.running(*long, *mine):
            await home.has_stored(1)
            ended = await home.run(*ROLLOUT, "--local", "0", *mine)
    assert ended.code == 1
    assert "busy" in ended.complaint


@pytest.mark.sockets
@pytest.mark.parametrize(
    ("command", "reason"),
    [("exec:/nonexistent/analyser", "No such file"), ("exec:false", "closed the connection")],
)
@pytest.mark.when_changed
async def test_command_that_is_no_analyser_is_one_line(
    home: Home, command: str, reason: str
) -> None:
    ended = await home.run(*ROLLOUT, "--local", "0", "--analyser", command)
    assert ended.code == 1
    assert reason in ended.complaint


STATE = read_id(POSITION)
EVERY_ROLL = ("move", POSITION, "--all-rolls", "--plies", "2", "--json")


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_rankings_over_analysers_are_the_local_ones(home: Home) -> None:
    here = await home.run(*EVERY_ROLL)
    async with AsyncExitStack() as stack:
        programs = [await stack.enter_async_context(listening("--workers", "1")) for _ in "ab"]
        ports = [port for _, port in programs]
        there = await home.run(*EVERY_ROLL, *analysers_at(*ports))
        deep = ("move", POSITION, "--dice", "21", "--plies", "3", "--json")
        one = await home.run(*deep, *analysers_at(*ports))
    assert there.report == here.report
    assert len(here.report["rolls"]) == 21
    assert one.report == move_report(STATE, (2, 1), 3)


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_an_analyser_killed_midway_changes_nothing(home: Home) -> None:
    every_roll = ("move", POSITION, "--all-rolls", "--plies", "3", "--json")
    async with AsyncExitStack() as stack:
        (victim, first), (_, second) = [
            await stack.enter_async_context(listening("--workers", "1")) for _ in "ab"
        ]
        async with home.running(*every_roll, *analysers_at(first, second)) as process:
            await home.has_answers(1)  # of some 80, for more than a second
            victim.send_signal(signal.SIGKILL)
            ended = await rest_of(process)
    assert ended.report == (await home.run(*every_roll)).report


LONG = ("rollout", POSITION, "--trials", "100000")
GO_ON = "manyply: go on with: manyply resume 1"


@pytest.fixture
async def served_home(tmp_path: Path) -> AsyncIterator[Home]:
    """A user whose master runs, with an analyser of its own."""
    home = Home(tmp_path)
    fleet = tmp_path / "fleet.toml"
    fleet.write_text(FLEET)
    argv = (sys.executable, "-m", "master", "--fleet", str(fleet))
    async with started(*argv, env=home.environ) as master:
        await line_with(master, "ready")
        yield home


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_job_goes_on_without_its_watcher_and_is_attached_and_halted(
    served_home: Home,
) -> None:
    async with served_home.running(*LONG) as process:
        await line_with(process, "job 1: ")
        process.send_signal(signal.SIGINT)
        left = await rest_of(process)
    assert left.code == 130
    assert left.complaint == "manyply: job 1 runs on; watch: manyply attach 1; end: manyply halt 1"
    async with served_home.running("attach") as process:
        await line_with(process, "job 1: ")
        halted = await served_home.run("halt", "1")
        attached = await rest_of(process)
    assert (halted.code, halted.complaint) == (0, GO_ON)
    assert (attached.code, attached.complaint) == (1, GO_ON)  # what it waited for is a part
    assert "halted" in attached.out
    assert attached.out == halted.out == (await served_home.run("show")).out


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_job_of_a_master_is_resumed_there(served_home: Home) -> None:
    async with served_home.running(*LONG) as process:
        await line_with(process, "job 1: ")
        await served_home.run("halt", "1")
        await rest_of(process)
    nothing = "manyply: no job is running; `manyply jobs` lists all"
    assert (await served_home.run("attach")).complaint == nothing
    async with served_home.running("resume") as process:
        await line_with(process, "job 1: ")
        assert '"state": "running"' in (await served_home.run("jobs", "--json")).out


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_commands_of_the_user_reach_the_master(served_home: Home) -> None:
    assert (await served_home.run("halt", "7")).complaint == "manyply: there is no job 7"
    assert (await served_home.run("resume")).complaint.startswith("manyply: no unfinished job")
    quick = ("--trials", "36", "--truncate", "6")
    assert (await served_home.run("rollout", POSITION, *quick, "--json")).report["trials"] == 36
    assert (await served_home.run("extend", "1", "--trials", "36", "--json")).report["trials"] == 72
    assert "72" in (await served_home.run("show")).out
    assert len((await served_home.run("jobs", "--json")).out.splitlines()) == 1


@pytest.mark.sockets
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


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_master_without_analysers_is_named_as_such_in_a_pipe_and_on_a_terminal(
    tmp_path: Path,
) -> None:
    home = Home(tmp_path)
    async with started(*BARE, env=home.environ) as master:
        await line_with(master, "ready")
        for options in ((), ("--json",)):
            async with home.running(*LONG, *options) as process:
                assert "--workers N" in await line_with(process, REASON)
        terminal, side = os.openpty()
        environ = home.environ | {"TERM": "xterm", "COLUMNS": "200"}
        async with home.running(*LONG, stderr=side, env=environ):
            os.close(side)
            shown = b""
            async with asyncio.timeout(20):
                while not all(words in shown for words in SHOWN):
                    shown += await asyncio.to_thread(os.read, terminal, 65536)
        os.close(terminal)


@pytest.mark.sockets
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


QUICK = ("rollout", POSITION, "--trials", "36", "--truncate", "6", "--local", "1")
STORAGE = 3
OUTPUT_CLOSED = 141


def occupy_directory(home: Home) -> None:
    home.state.touch()


def scribble(home: Home) -> None:
    home.state.mkdir()
    (home.state / "jobs.sqlite3").write_bytes(bytes(range(1, 256)) * 64)


def write_by_the_future(home: Home) -> None:
    home.state.mkdir()
    database = sqlite3.connect(home.state / "jobs.sqlite3")
    database.execute("PRAGMA user_version = 99")
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.close()


SPOILERS: dict[str, tuple[Callable[[Home], None], str]] = {
    "no-directory": (occupy_directory, "cannot create"),
    "not-a-database": (scribble, "not a manyply database"),
    "newer": (write_by_the_future, "written by a newer manyply"),
}


@pytest.mark.parametrize("spoiler", SPOILERS)
@pytest.mark.when_changed
async def test_state_that_cannot_be_used_is_one_line(home: Home, spoiler: str) -> None:
    spoil, reason = SPOILERS[spoiler]
    spoil(home)
    for command in (QUICK, ("jobs",), ("resume",)):
        ended = await home.run(*command)
        assert (ended.code, ended.out) == (STORAGE, "")
        assert reason in ended.complaint
        assert str(home.state) in ended.complaint
        assert len(ended.err.splitlines()) == 1


def limit_files() -> None:
    """Let no file grow further: what a full disk is to one process."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, resource.RLIM_INFINITY))


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_full_disk_loses_nothing_that_was_stored(home: Home, tmp_path: Path) -> None:
    words = ("--trials", "3000", "--no-variance-reduction", "--truncate", "10", "--json")
    job = ("rollout", POSITION, *words, "--local", "1")
    straight = await Home(tmp_path / "straight").run(*job)
    full = await home.run(*job, preexec_fn=limit_files)
    assert full.code == 1
    assert full.complaint == "manyply: go on with: manyply resume 1"
    assert "as large as files may be here (ulimit -f)" in full.err
    assert str(home.state) in full.err
    kept = home.stored_trials()
    shown = await home.run("show")
    assert f"{kept} trials" in shown.out
    assert (await home.run("resume", "--json", "--local", "1")).report == straight.report


@pytest.mark.when_changed
def test_closed_pipe_ends_quietly(home: Home) -> None:
    for command in (("move", POSITION, "--dice", "31"), QUICK, (*QUICK, "--json"), ("jobs",)):
        reader, writer = os.pipe()
        os.close(reader)
        argv = [*MANYPLY, *command]
        with os.fdopen(writer) as pipe:
            ended = subprocess.run(  # the reader is gone before the first line comes
                argv, env=home.environ, stdout=pipe, stderr=subprocess.PIPE, timeout=30, check=False
            )
        # On a busy machine it takes a second, and how far it is was told.
        reported = [line for line in ended.stderr.splitlines() if not line.startswith(b"job 1: ")]
        assert (ended.returncode, reported) == (OUTPUT_CLOSED, []), command


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.when_changed
def test_full_output_is_one_line(home: Home) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*MANYPLY, "jobs"], env=home.environ, stdout=full, stderr=subprocess.PIPE, timeout=30,
            check=False,
        )  # fmt: skip
    assert ended.returncode == STORAGE
    assert ended.stderr == b"manyply: cannot write the output: the disk is full\n"


@pytest.mark.when_changed
def test_missing_standard_streams_are_no_trouble(home: Home) -> None:
    command = " ".join([*MANYPLY, "jobs", ">&-", "<&-", "2>&-"])
    ended = subprocess.run(["sh", "-c", command], env=home.environ, timeout=30, check=False)
    assert ended.returncode == 0


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_database_deleted_under_a_rollout_is_said_and_its_trials_are_kept(home: Home) -> None:
    words = ("--trials", "200000", "--truncate", "6", "--json", "--local", "1")
    async with home.running("rollout", POSITION, *words) as process:
        await home.has_stored(200)
        database_path(home.state).unlink()
        ended = await rest_of(process)
    kept = home.state / "jobs-kept-1.sqlite3"
    assert ended.code == STORAGE
    assert "was deleted or moved" in ended.complaint
    assert f"`manyply salvage {kept} --replace` goes on with it" in ended.complaint
    assert (await home.run("salvage", str(kept), "--replace")).code == 0
    assert home.stored_trials() >= 200
    assert "halted" in (await home.run("jobs")).out


READ_ONLY = "mount --bind {0} {0} && mount -o remount,ro,bind {0} && exec {1}"


def ran(home: Home, *argv: str) -> tuple[int, str, str]:
    ended = subprocess.run(
        argv, env=home.environ, capture_output=True, text=True, timeout=60, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def ran_read_only(home: Home, *argv: str) -> tuple[int, str, str]:
    """Run a command to which the state directory is mounted read-only: root heeds no modes."""
    line = READ_ONLY.format(home.directory, " ".join(argv))
    return ran(home, "unshare", "-m", "sh", "-c", line)


@pytest.mark.sockets
@pytest.mark.when_changed
def test_jobs_are_shown_on_a_disk_that_is_mounted_read_only(home: Home) -> None:
    home.directory.mkdir(exist_ok=True)
    if ran_read_only(home, "true")[0]:
        pytest.skip("no mounts of our own here: unshare -m is not allowed")
    assert ran(home, *MANYPLY, *QUICK)[0] == 0
    for command in (("jobs",), ("show", "--json")):
        shown = ran(home, *MANYPLY, *command)
        assert shown[0] == 0
        assert ran_read_only(home, *MANYPLY, *command) == shown
