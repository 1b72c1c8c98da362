import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.backgammon.trials import VALUE_NAMES
from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs import forget_command
from master.cli.jobs.forget_command import read_age
from master.config.paths import database_path
from master.contract.goals import Goal
from master.contract.job_words import JobState
from master.store.answers import AnswerRow, write_answers
from master.store.records import JobEnd, NewJob, RunsIn
from master.store.store import Store
from tests.master.cli.shown import CONTEXT, POSITION
from tests.master.store.salvage.databases import JOBS, make_jobs, pages_of

NEW = NewJob(
    CONTEXT, "d" * 16, "backgammon", "e" * 16, ("position",), VALUE_NAMES, Goal(36), POSITION
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


def ran(*args: str, stdin_text: str = "") -> Any:
    return CliRunner().invoke(manyply, ["forget", *args], input=stdin_text)


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
    result = ran("1", stdin_text=answer)
    assert "position (no roll), money, 0-ply, seed 5" in result.stderr
    assert "Delete 1 job with all trials? [y/N]" in result.stderr
    assert numbers(store) == left


def test_yes_asks_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert "name the jobs, or give --older-than AGE, or --answers" in result.stderr


def test_ages_are_read() -> None:
    assert [read_age(text) for text in ("12h", "30d", "4w")] == [
        timedelta(hours=12), timedelta(days=30), timedelta(weeks=4),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "1.5d", "99999d", "3 d", "1y"])
def test_what_is_no_age_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an age"):
        read_age(text)


ENGINES = ("a" * 16, "b" * 16)


@pytest.fixture
def four_answers(store: Store) -> Store:
    sources = ("", "liar", "liar#2", "liar#x")
    rows = [
        AnswerRow(bytes([place]) * 32, ENGINES[place % 2], f"text {place}", source)
        for place, source in enumerate(sources)
    ]
    write_answers(store._database, rows, [], 20_000)
    return store


def kept(store: Store) -> list[int]:
    digests = [bytes([place]) * 32 for place in range(4)]
    return sorted(digest[0] for digest in store.answers(digests)[0])


@pytest.mark.parametrize(
    ("args", "left"),
    [
        ((), []),
        (("--of", "liar"), [0, 3]),
        (("--of", "liar#2"), [0, 1, 3]),
        (("--of", "lia%"), [0, 1, 2, 3]),
        (("--engine", "b" * 16), [0, 2]),
        (("--of", "liar", "--engine", "b" * 16), [0, 2, 3]),
    ],
)
def test_answers_are_deleted_by_analyser_and_engine(
    four_answers: Store, args: tuple[str, ...], left: list[int]
) -> None:
    count = 4 - len(left)
    said = f"Deleted {count} answer{'' if count == 1 else 's'}.\n"
    assert ran("--answers", *args).stdout == said
    assert kept(four_answers) == left


def test_answers_are_deleted_once_the_user_has_said_so(
    four_answers: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forget_command, "_is_terminal", lambda: True)
    result = ran("--answers", "--of", "liar", stdin_text="n\n")
    assert result.stdout.endswith("Nothing is deleted.\n")
    assert "Delete all kept answers of liar? [y/N]" in result.stderr
    assert kept(four_answers) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "args",
    [
        ("--answers", "1"),
        ("--answers", "--older-than", "1d"),
        ("--answers", "--master", "/run/x"),
        ("--of", "liar"),
        ("1", "--engine", "b" * 16),
        ("--answers", "--engine", "nonsense"),
    ],
)
def test_options_of_answers_go_with_answers(args: tuple[str, ...]) -> None:
    assert ran(*args).exit_code == 2


def test_where_no_answers_are_kept_nothing_is_made(state_dir: Path) -> None:
    assert ran("--answers").stdout == "No answers are kept.\n"
    assert not state_dir.exists()


def salvage_ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["salvage", *args])


def damage_header(state_dir: Path) -> None:
    database_path(state_dir).write_bytes(b"".join([bytes(4096), *pages_of(state_dir)[1:]]))


def salvaged_numbers(state_dir: Path) -> list[int]:
    with closing(Store(state_dir)) as store:
        return [record.job for record in store.jobs()]


def test_jobs_come_back_in_the_place_of_the_damaged_ones(state_dir: Path) -> None:
    make_jobs(state_dir)
    damage_header(state_dir)
    before = database_path(state_dir).read_bytes()
    ended = salvage_ran("--replace")
    assert ended.exit_code == ExitCode.JOB_FAILED  # a page is lost
    assert f"{JOBS} jobs" in ended.stdout
    assert salvaged_numbers(state_dir) == list(range(1, JOBS + 1))
    assert (state_dir / "jobs-damaged-1.sqlite3").read_bytes() == before


def test_whole_database_is_salvaged_without_loss(state_dir: Path) -> None:
    make_jobs(state_dir)
    ended = salvage_ran("--json")
    report = json.loads(ended.stdout)
    assert ended.exit_code == ExitCode.OK
    assert report["database"] == str(state_dir / "jobs-salvaged-1.sqlite3")
    assert [job["lost"] for job in report["jobs"]] == [None] * JOBS
    assert [job["job"] for job in report["jobs"]] == list(range(1, JOBS + 1))
    assert (report["damaged_rows"], report["damaged_pages"]) == (0, 0)


def test_lost_trials_are_named_and_how_they_come_back(state_dir: Path) -> None:
    make_jobs(state_dir, 2)
    with closing(Store(state_dir)) as store, store._cursor() as database:
        database.execute("UPDATE trial_run SET trial_values = x'00' WHERE job = 2")
        database.execute("DELETE FROM fold_snapshot")
    jobs = json.loads(salvage_ran("--json").stdout)["jobs"]
    assert jobs[0]["lost"] is None
    assert jobs[1]["lost"].startswith("trials 0 to ")
    assert jobs[1]["lost"].endswith("`manyply resume 2` computes them again")


def test_state_in_use_is_not_taken_away(state_dir: Path) -> None:
    make_jobs(state_dir, 2)
    with closing(Store(state_dir)) as store, store.claim(2):
        store.set_running(2, RunsIn.COMMAND)
        with pytest.raises(CommandError, match="job 2 is running: end it first"):
            raise salvage_ran("--replace").exception


def test_missing_and_empty_databases_are_named(state_dir: Path) -> None:
    with pytest.raises(CommandError, match="there is no database"):
        raise salvage_ran().exception
    make_jobs(state_dir, 1)
    database_path(state_dir).write_bytes(b"")
    with pytest.raises(CommandError, match="it is empty") as caught:
        raise salvage_ran().exception
    assert caught.value.exit_code is ExitCode.STORAGE
