from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.backgammon.trials import VALUE_NAMES
from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.jobs import forget_command
from master.cli.jobs.forget_command import read_age
from master.contract.job_words import JobState
from master.store.records import JobEnd, NewJob, RunsIn
from master.store.store import Store
from tests.master.cli.shown import CONTEXT, POSITION

NEW = NewJob(
    CONTEXT, "d" * 16, "backgammon", "e" * 16, ("position",), VALUE_NAMES, 36, None, POSITION
)


@pytest.fixture
def store(state_dir: Path) -> Iterator[Store]:
    store = Store(state_dir)
    yield store
    store.close()


@pytest.fixture
def three_jobs(store: Store) -> Store:
    for _ in range(3):
        store.set_ended(store.create_job(NEW), JobState.DONE, JobEnd("trials", "", 0))
    return store


def ran(*args: str, told: str = "") -> Any:
    return CliRunner().invoke(manyply, ["forget", *args], input=told)


def numbers(store: Store) -> list[int]:
    return [record.job for record in store.jobs()]


def test_jobs_named_are_deleted(three_jobs: Store) -> None:
    assert ran("3", "1").stdout == "Deleted 2 jobs.\n"
    assert numbers(three_jobs) == [2]
    assert three_jobs.create_job(NEW) == 4


def test_unknown_job_deletes_nothing(three_jobs: Store) -> None:
    with pytest.raises(CommandError, match="there is no job 9"):
        raise ran("1", "9").exception
    assert numbers(three_jobs) == [1, 2, 3]


def test_running_job_is_kept(three_jobs: Store) -> None:
    with three_jobs.claim(2):
        three_jobs.set_running(2, RunsIn.COMMAND)
        with pytest.raises(CommandError, match="job 2 is running: stop it first"):
            raise ran("1", "2").exception
        assert numbers(three_jobs) == [1, 2, 3]
        assert ran("--older-than", "0h").stdout == "Deleted 2 jobs.\n"
    assert numbers(three_jobs) == [2]


@pytest.mark.parametrize(("answer", "left"), [("y\n", []), ("n\n", [1]), ("\n", [1])])
def test_terminal_is_asked(
    store: Store, monkeypatch: pytest.MonkeyPatch, answer: str, left: list[int]
) -> None:
    store.create_job(NEW)
    monkeypatch.setattr(forget_command, "_is_terminal", lambda: True)
    result = ran("1", told=answer)
    assert "the position, money, 0-ply, seed 5" in result.stderr
    assert "Delete 1 job with all trials? [y/N]" in result.stderr
    assert numbers(store) == left


def test_whoever_is_sure_is_not_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.create_job(NEW)
    monkeypatch.setattr(forget_command, "_is_terminal", lambda: True)
    assert ran("1", "--yes").stdout == "Deleted 1 job.\n"
    assert numbers(store) == []


def test_old_jobs_are_those_begun_long_ago(
    three_jobs: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ran("--older-than", "1h").stdout == "No job is that old.\n"
    later = datetime.now(UTC) + timedelta(hours=2)
    monkeypatch.setattr(forget_command, "_now", lambda: later)
    assert ran("--older-than", "1h").stdout == "Deleted 3 jobs.\n"


def test_damaged_job_is_deleted_by_its_number(three_jobs: Store) -> None:
    three_jobs._database.execute("UPDATE job SET context = 'x' WHERE job = 2")
    assert ran("2").stdout == "Deleted 1 job.\n"
    assert numbers(three_jobs) == [1, 3]


@pytest.mark.parametrize("args", [(), ("1", "--older-than", "1d")])
def test_jobs_are_named_or_old(args: tuple[str, ...]) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert "name the jobs, or give --older-than AGE" in result.stderr


def test_ages_are_read() -> None:
    assert [read_age(text) for text in ("12h", "30d", "4w")] == [
        timedelta(hours=12), timedelta(days=30), timedelta(weeks=4),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "1.5d", "99999d", "3 d", "1y"])
def test_what_is_no_age_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an age"):
        read_age(text)
