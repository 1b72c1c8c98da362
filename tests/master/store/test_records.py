import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from master.contract.goals import Goal
from master.contract.job_words import JobState, Priority
from master.store.checksums import Column
from master.store.records import (
    JobEnd,
    JobRecord,
    NewJob,
    RunsIn,
    StoredSearch,
    from_row,
    is_damaged,
    read_search,
    to_request_row,
    to_status_row,
    write_search,
)
from master.store.schema import open_database

names = st.lists(st.text(), max_size=4).map(tuple)
requests = st.builds(
    NewJob,
    context=st.text(),
    digest=st.text(),
    game=st.text(),
    engine=st.text(),
    alternative_names=names,
    value_names=names,
    goal=st.builds(
        Goal,
        trials=st.none() | st.integers(0, 2**40),
        stop_se=st.none() | st.floats(allow_nan=False),
        stop_settled=st.none() | st.floats(allow_nan=False),
    ),
    label=st.text(),
)


ends = st.builds(JobEnd, st.text(), st.text(), st.integers(0, 2**40))


@given(requests, st.sampled_from(JobState), ends, st.sampled_from(Priority))
def test_record_reads_back_as_written(
    request: NewJob, state: JobState, end: JobEnd, priority: Priority
) -> None:
    row = (
        7,
        *to_request_row(7, request, "now"),
        *to_status_row(7, state, end, RunsIn.DAEMON),
        priority.name.lower(),
    )
    assert from_row(row) == JobRecord(7, request, state, end, RunsIn.DAEMON, "now", (), priority)


@pytest.mark.parametrize("word", ["standing", "soon", "", 3, None, b"background"])
def test_old_or_unknown_priority_is_normal(word: object) -> None:
    assert from_row((*ROW[:-1], word)).priority is Priority.NORMAL


REQUEST = NewJob("noop/1", "d", "noop", "e", ("a", "b"), ("v",), Goal(10, 0.5, 2.0), "label")
ROW = (
    7,
    *to_request_row(7, REQUEST, "now"),
    *to_status_row(7, JobState.DONE, JobEnd("trials", "", 20), RunsIn.DAEMON),
    "normal",
)


@pytest.mark.parametrize("index", range(len(ROW) - 1))  # the last is believed or left out
@pytest.mark.parametrize("other", [None, 8, 0.25, "x", b"x", "\udcff"])
def test_no_other_value_of_any_column_is_believed(index: int, other: Column) -> None:
    record = from_row((*ROW[:index], other, *ROW[index + 1 :]))
    if index <= 12:
        assert record.state is JobState.DAMAGED
        assert "forget" in record.end.error
    else:
        assert (record.state, record.end) == (JobState.HALTED, JobEnd("interrupted"))
        assert record.request == REQUEST


JOB = 7
SEARCHES = st.builds(
    StoredSearch,
    nodes=st.integers(0, 2**62),
    seconds=st.floats(0, 1e12),
    answer=st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Zs")), max_size=50),
    is_confirmed=st.booleans(),
    bounds=st.binary(max_size=100),
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    database = open_database(tmp_path / "jobs.sqlite3")
    database.execute("PRAGMA foreign_keys = OFF")
    yield database
    database.close()


def read(database: sqlite3.Connection, job: int = JOB) -> StoredSearch | None:
    return read_search(lambda text, *values: database.execute(text, values).fetchall(), job)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(SEARCHES, SEARCHES)
def test_what_was_written_last_is_read(
    database: sqlite3.Connection, first: StoredSearch, second: StoredSearch
) -> None:
    write_search(database, JOB, first)
    assert read(database) == first
    write_search(database, JOB, second)
    assert read(database) == second
    assert read(database, JOB + 1) is None


@pytest.mark.parametrize(
    "change", ["nodes = nodes + 1", "seconds = 0.5", "answer = 'x'", "is_confirmed = 0",
               "bounds = x'01'", "job = 8"],
)  # fmt: skip
def test_damaged_row_is_nothing(database: sqlite3.Connection, change: str) -> None:
    write_search(database, JOB, StoredSearch(5, 1.5, "value=3", True, b"bounds"))
    database.execute(f"UPDATE search SET {change}")
    assert read(database) is None
    assert read(database, 8) is None
    job = 8 if change == "job = 8" else JOB
    assert is_damaged(lambda text, *values: database.execute(text, values).fetchall(), job)
