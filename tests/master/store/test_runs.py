import itertools
import math
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.store.runs import (
    RUN_TRIALS_MAX,
    DamagedRun,
    TrialRun,
    correct_trial,
    drop_runs,
    from_blob,
    insert_run,
    merged,
    patched,
    read_runs,
    read_snapshot,
    stored_prefix,
    to_blob,
    without_twins,
    write_snapshot,
)
from master.store.schema import open_database

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


def test_damaged_rows_are_distinguished_and_dropped(database: sqlite3.Connection) -> None:
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


values = st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False))


@given(st.lists(values, min_size=1))
def test_blob_gives_back_the_same_bits(rows: list[tuple[float, float]]) -> None:
    back = from_blob(to_blob(rows), len(rows))
    assert [[v.hex() for v in row] for row in back] == [[v.hex() for v in row] for row in rows]


def test_blob_keeps_the_sign_of_zero() -> None:
    ((zero,),) = from_blob(to_blob([(-0.0,)]), 1)
    assert math.copysign(1.0, zero) == -1.0


@pytest.mark.parametrize(("blob", "count"), [(b"", 1), (b"1234567", 1), (bytes(8), 2), (b"", 0)])
def test_blob_of_a_wrong_length_is_refused(blob: bytes, count: int) -> None:
    with pytest.raises(ValueError, match="are not"):
        from_blob(blob, count)


@given(st.lists(values, min_size=1), values, st.data())
def test_patching_a_blob_replaces_one_trial(
    rows: list[tuple[float, float]], other: tuple[float, float], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    expected = [*rows[:index], other, *rows[index + 1 :]]
    assert patched(to_blob(rows), index, other) == to_blob(expected)


@given(st.lists(st.tuples(st.integers(0, 60), st.lists(values, min_size=1, max_size=5))))
def test_merged_runs_hold_every_trial_once_in_seq_order(
    rows: list[tuple[int, list[tuple[float, float]]]],
) -> None:
    runs = merged(TrialRun(first, run) for first, run in rows)
    seqs = [run.first_seq + i for run in runs for i in range(len(run.values))]
    assert seqs == sorted({first + i for first, run in rows for i in range(len(run))})
    assert all(
        run.first_seq + len(run.values) < later.first_seq for run, later in itertools.pairwise(runs)
    )


def test_long_run_is_cut() -> None:
    runs = merged(TrialRun(seq, [(0.0,)]) for seq in range(RUN_TRIALS_MAX + 1))
    assert [len(run.values) for run in runs] == [RUN_TRIALS_MAX, 1]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8))))
def test_overlapping_runs_yield_every_seq_once(spans: list[tuple[int, int]]) -> None:
    runs = [
        TrialRun(first, tuple((float(number),) for _ in range(count)))
        for number, (first, count) in enumerate(sorted(spans))
    ]
    seqs = [run.first_seq + i for run in without_twins(runs) for i in range(len(run.values))]
    assert seqs == sorted({seq for first, count in spans for seq in range(first, first + count)})
