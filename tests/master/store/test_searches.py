"""Where searches stand, as it is stored."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from master.store.schema import open_database
from master.store.searches import StoredSearch, is_damaged, read_search, write_search

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
