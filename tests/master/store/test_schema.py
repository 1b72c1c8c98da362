import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from master.store.errors import StoreError
from master.store.schema import APPLICATION_ID, SCHEMA_VERSION, TABLES, open_database


def test_new_database_has_this_version_and_full_durability(tmp_path: Path) -> None:
    database = open_database(tmp_path / "new" / "jobs.sqlite3")
    pragma = {
        name: database.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("user_version", "journal_mode", "synchronous")
    }
    database.close()
    assert pragma == {"user_version": SCHEMA_VERSION, "journal_mode": "wal", "synchronous": 2}


def test_database_opens_again_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite3"
    open_database(path).close()
    open_database(path).close()


@pytest.mark.parametrize(("step", "which"), [(1, "a newer"), (-1, "an unreleased")])
def test_other_schema_is_refused_and_left_alone(tmp_path: Path, step: int, which: str) -> None:
    path = tmp_path / "jobs.sqlite3"
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + step}")
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=f"was written by {which} manyply"):
        open_database(path)
    assert path.read_bytes() == before


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite3"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError, match="is not a manyply database"):
        open_database(path)


@pytest.mark.parametrize(
    "pragma",
    ["user_version = 0", "user_version = -5", "application_id = 1"],
)
def test_database_of_another_program_is_refused_and_left_alone(tmp_path: Path, pragma: str) -> None:
    path = tmp_path / "jobs.sqlite3"
    open_database(path).close()
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA {pragma}")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is not a manyply database, or is damaged"):
        open_database(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("table", sorted(TABLES))
def test_lost_table_is_named_at_once(tmp_path: Path, table: str) -> None:
    path = tmp_path / "jobs.sqlite3"
    open_database(path).close()
    other = sqlite3.connect(path)
    other.execute(f"DROP TABLE {table}")
    other.close()
    with pytest.raises(StoreError, match=f"the file is damaged: it has lost {table}"):
        open_database(path)


def test_files_are_their_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "jobs.sqlite3"
    mask = os.umask(0o022)
    try:
        database = open_database(path)
        database.execute("INSERT INTO answer (digest, engine, text, used) VALUES ('', '', '', 0)")
        modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        database.close()
    finally:
        os.umask(mask)
    assert modes == dict.fromkeys((path.name, path.name + "-wal", path.name + "-shm"), 0o600)
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite3"
    open_database(path).close()
    path.chmod(0o644)
    open_database(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_opening_twice_keeps_the_locks_of_the_first(tmp_path: Path) -> None:
    first = open_database(tmp_path / "jobs.sqlite3")
    first.execute("BEGIN IMMEDIATE")
    open_database(tmp_path / "jobs.sqlite3").close()
    taking = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    )
    argv = [sys.executable, "-c", taking, str(tmp_path / "jobs.sqlite3")]
    ended = subprocess.run(argv, capture_output=True, text=True, check=False)
    first.close()
    assert "database is locked" in ended.stderr


def test_state_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot create"):
        open_database(tmp_path / "file" / "jobs.sqlite3")
