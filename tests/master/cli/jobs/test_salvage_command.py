import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.config.paths import database_path
from master.store.records import RunsIn
from master.store.store import Store
from tests.master.store.salvage.databases import JOBS, make_jobs, pages_of


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["salvage", *args])


def damage_header(state_dir: Path) -> None:
    database_path(state_dir).write_bytes(b"".join([bytes(4096), *pages_of(state_dir)[1:]]))


def numbers(state_dir: Path) -> list[int]:
    with closing(Store(state_dir)) as store:
        return [record.job for record in store.jobs()]


def test_jobs_come_back_in_the_place_of_the_damaged_ones(state_dir: Path) -> None:
    make_jobs(state_dir)
    damage_header(state_dir)
    before = database_path(state_dir).read_bytes()
    ended = ran("--replace")
    assert ended.exit_code == ExitCode.JOB_FAILED  # a page is lost
    assert f"{JOBS} jobs" in ended.stdout
    assert numbers(state_dir) == list(range(1, JOBS + 1))
    assert (state_dir / "jobs-damaged-1.sqlite3").read_bytes() == before


def test_whole_database_is_salvaged_without_loss(state_dir: Path) -> None:
    make_jobs(state_dir)
    ended = ran("--json")
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
    jobs = json.loads(ran("--json").stdout)["jobs"]
    assert jobs[0]["lost"] is None
    assert jobs[1]["lost"].startswith("trials 0 to ")
    assert jobs[1]["lost"].endswith("`manyply resume 2` computes them again")


def test_state_in_use_is_not_taken_away(state_dir: Path) -> None:
    make_jobs(state_dir, 2)
    with closing(Store(state_dir)) as store, store.claim(2):
        store.set_running(2, RunsIn.COMMAND)
        with pytest.raises(CommandError, match="job 2 is running: end it first"):
            raise ran("--replace").exception


def test_missing_and_empty_databases_are_named(state_dir: Path) -> None:
    with pytest.raises(CommandError, match="there is no database"):
        raise ran().exception
    make_jobs(state_dir, 1)
    database_path(state_dir).write_bytes(b"")
    with pytest.raises(CommandError, match="it is empty") as caught:
        raise ran().exception
    assert caught.value.exit_code is ExitCode.STORAGE
