"""Copies of the database: of one moment, private, never over another file, and of full worth."""

import asyncio
import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.config.paths import database_path
from master.contract.job_words import JobState
from master.service.service import MasterService
from protocol.messages import Message, PartRequest
from tests.master.conftest import honest_answer
from tests.master.service.watching import REQUEST, bits, straight_run, until, watch


def ran(*args: str | Path) -> Any:
    return CliRunner().invoke(manyply, ["backup", *map(str, args)])


@pytest.fixture
async def stored(state_dir: Path) -> Path:
    """A state directory with one halted job."""
    async with MasterService(state_dir) as service:
        await service.submit(REQUEST)
    return state_dir


def first_results_only(parts: int, has_some: asyncio.Event) -> Any:
    """Return an analyser's way to answer so many parts, and no more."""
    answered = 0

    def answer(request: PartRequest) -> list[Message]:
        nonlocal answered
        answered += 1
        if answered > parts:
            has_some.set()
            return []
        return honest_answer(request)

    return answer


async def test_job_goes_on_from_a_backup_made_while_it_ran_to_the_same_bits(
    state_dir: Path, tmp_path: Path, fake_analyser: Any
) -> None:
    has_some = asyncio.Event()
    async with MasterService(state_dir) as service:
        analyser = fake_analyser(answer=first_results_only(2, has_some)).join(service)
        job = await service.submit(REQUEST)
        await has_some.wait()
        await until(lambda: analyser.acked > 0)  # they are stored
        done = await asyncio.to_thread(ran, "--force", tmp_path / "copy" / "jobs.sqlite3")
        assert isinstance(done.exception, CommandError)  # no such folder: nothing half-made either
        (tmp_path / "copy").mkdir()
        done = await asyncio.to_thread(ran, tmp_path / "copy")
        assert done.exit_code == 0, done.exception
        assert (await service.show(job)).state is JobState.RUNNING
    async with MasterService(tmp_path / "copy") as restored:
        halted = await restored.show(job)
        assert halted.state is JobState.HALTED
        assert 0 < halted.folded < 120
        fake_analyser().join(restored)
        await restored.resume(job)
        view = (await watch(restored, job)).job
    straight = await straight_run(tmp_path / "straight", REQUEST, fake_analyser)
    assert (view.state, bits(view)) == (JobState.DONE, bits(straight))


async def test_backup_is_its_owners_alone_and_the_only_file(stored: Path, tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    copy = tmp_path / "copies" / "a.sqlite3"
    report = json.loads(ran(copy, "--json").stdout)
    assert report == {"backup": str(copy), "jobs": 1, "damaged": 0, "bytes": copy.stat().st_size}
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert os.listdir(copy.parent) == [copy.name]


async def test_file_that_is_there_is_overwritten_only_by_force(
    stored: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "precious"
    copy.write_text("mine")
    with pytest.raises(CommandError, match="is there already: --force overwrites it"):
        raise ran(copy).exception
    assert copy.read_text() == "mine"
    assert "1 job" in ran(copy, "--force").stdout
    assert copy.read_bytes().startswith(b"SQLite format 3")


async def test_error_names_the_file_that_was_given(stored: Path, tmp_path: Path) -> None:
    copy = tmp_path / "no-folder" / "a.sqlite3"
    with pytest.raises(CommandError, match=f"cannot write {copy}: No such file"):
        raise ran(copy).exception


async def test_database_is_not_copied_onto_itself(stored: Path) -> None:
    before = database_path(stored).read_bytes()
    with pytest.raises(CommandError, match="is the database itself"):
        raise ran(database_path(stored), "--force").exception
    assert database_path(stored).read_bytes() == before


def test_missing_database_is_named_and_not_made(state_dir: Path, tmp_path: Path) -> None:
    error = ran(tmp_path / "copy").exception
    assert isinstance(error, CommandError)
    assert error.exit_code is ExitCode.STORAGE
    assert f"there is no database {database_path(state_dir)}" in str(error)
    assert not state_dir.exists()


def test_another_state_directory_is_copied_when_named(stored: Path, tmp_path: Path) -> None:
    moved = stored.rename(tmp_path / "of the system")
    assert "1 job" in ran(tmp_path / "copy", "--state-dir", moved).stdout


async def test_log_of_a_crashed_master_is_not_added_to_a_newer_backup(
    stored: Path, tmp_path: Path
) -> None:
    (tmp_path / "live").mkdir()
    ran(tmp_path / "live")
    async with MasterService(tmp_path / "live") as service:
        await service.submit(REQUEST)
        shutil.copytree(tmp_path / "live", tmp_path / "copy")  # as after SIGKILL
    assert (tmp_path / "copy" / "jobs.sqlite3-wal").stat().st_size > 0
    assert "1 job" in ran(tmp_path / "copy", "--force").stdout
    assert not (tmp_path / "copy" / "jobs.sqlite3-wal").exists()
    async with MasterService(tmp_path / "copy") as restored:
        assert len(await restored.jobs()) == 1


async def test_database_that_a_master_uses_is_not_overwritten(stored: Path, tmp_path: Path) -> None:
    (tmp_path / "live").mkdir()
    ran(tmp_path / "live")
    async with MasterService(tmp_path / "live") as service:
        await service.submit(REQUEST)
        done = await asyncio.to_thread(ran, tmp_path / "live", "--force")
        assert isinstance(done.exception, CommandError)
        assert done.exception.exit_code is ExitCode.STORAGE
        assert "is in use, as by a master: name another file" in str(done.exception)
        assert len(await service.jobs()) == 2
    assert not list((tmp_path / "live").glob("*.part*"))


async def test_name_that_no_file_can_have_is_refused_in_one_line(stored: Path) -> None:
    error = ran("a" * 300).exception
    assert isinstance(error, CommandError)
    assert error.exit_code is ExitCode.STORAGE
    assert str(error).endswith("a: File name too long")


async def test_error_of_the_copy_names_the_file_that_was_given(
    stored: Path, tmp_path: Path
) -> None:
    (tmp_path / f"copy.{os.getpid()}.part").touch()  # of another program, in the copy's way
    error = ran(tmp_path / "copy").exception
    assert isinstance(error, CommandError)
    assert error.exit_code is ExitCode.STORAGE
    assert str(error) == f"cannot write {tmp_path / 'copy'}: File exists"
