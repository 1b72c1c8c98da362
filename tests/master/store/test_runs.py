import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from master.store.runs import (
    DamagedRun,
    correct_trial,
    drop_runs,
    insert_run,
    read_runs,
    read_snapshot,
    stored_prefix,
    write_snapshot,
)
from master.store.schema import open_database
from master.store.trials import TrialRun

JOB = 7


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = open_database(tmp_path / "jobs.sqlite3")
    database.execute("PRAGMA foreign_keys = OFF")
    yield database
    database.close()


def read(database: sqlite3.Connection) -> list[TrialRun | DamagedRun]:
    return list(read_runs(lambda text, *values: database.execute(text, values).fetchall(), JOB))


def test_run_reads_back_as_written(database: sqlite3.Connection) -> None:
    insert_run(database, JOB, TrialRun(3, [(0.5, -0.0), (1.5, 2.0)]))
    insert_run(database, JOB + 1, TrialRun(3, [(9.0, 9.0)]))
    assert read(database) == [TrialRun(3, ((0.5, -0.0), (1.5, 2.0)))]


def test_longer_run_takes_the_place_of_a_shorter_one_only(database: sqlite3.Connection) -> None:
    for values in ([(1.0,), (2.0,)], [(1.0,)], [(1.0,), (2.0,), (3.0,)]):
        insert_run(database, JOB, TrialRun(0, values))
    assert read(database) == [TrialRun(0, ((1.0,), (2.0,), (3.0,)))]


def test_corrected_trial_has_a_right_checksum(database: sqlite3.Connection) -> None:
    insert_run(database, JOB, TrialRun(0, [(1.0,), (2.0,)]))
    write_snapshot(database, JOB, 2, "text")
    correct_trial(database, JOB, 1, (2.5,))
    assert read(database) == [TrialRun(0, ((1.0,), (2.5,)))]
    assert read_snapshot(lambda text, *v: database.execute(text, v).fetchall(), JOB) is None


def test_correction_blesses_no_damaged_run(database: sqlite3.Connection) -> None:
    insert_run(database, JOB, TrialRun(0, [(1.0,), (2.0,)]))
    database.execute("UPDATE trial_run SET trial_values = zeroblob(16)")
    correct_trial(database, JOB, 1, (2.5,))
    assert read(database) == []


def test_damaged_rows_are_told_apart_and_dropped(database: sqlite3.Connection) -> None:
    for first in (0, 5, 9):
        insert_run(database, JOB, TrialRun(first, [(1.0,), (2.0,)]))
    database.execute("UPDATE trial_run SET trial_values = zeroblob(16) WHERE first_seq = 5")
    good, bad, last = read(database)
    assert (good, last) == (TrialRun(0, ((1.0,), (2.0,))), TrialRun(9, ((1.0,), (2.0,))))
    assert isinstance(bad, DamagedRun)
    assert bad.first_seq == 5
    drop_runs(database, JOB, [bad])
    assert read(database) == [good, last]


def test_rows_in_disorder_are_an_error_and_no_endless_loop() -> None:
    def select(text: str, *values: Any) -> list[tuple[Any, ...]]:
        return [(4, 1, b"", b""), (3, 1, b"", b"")]

    with pytest.raises(sqlite3.DatabaseError, match="in disorder"):
        list(read_runs(select, JOB))


def test_prefix_counts_overlapping_runs_once(database: sqlite3.Connection) -> None:
    for first, count in ((0, 4), (1, 2), (3, 3), (7, 1)):
        insert_run(database, JOB, TrialRun(first, [(0.0, 1.0)] * count))

    def select(text: str, *values: Any) -> list[tuple[Any, ...]]:
        return database.execute(text, values).fetchall()

    assert stored_prefix(select, JOB, value_count=2) == 6
    assert stored_prefix(select, JOB, value_count=1) == 0
