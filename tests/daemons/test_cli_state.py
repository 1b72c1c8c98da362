"""State directories and outputs that cannot be used: one line, an exit code, nothing lost."""

import os
import resource
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from master.config.paths import database_path
from master.store.schema import APPLICATION_ID
from tests.daemons.command_line import MANYPLY, POSITION, Home, rest_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

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
