import sqlite3
from pathlib import Path

import pytest

from master.store import StoreError
from master.store.answers import AnswerRow, read_answers, write_answers
from master.store.schema import _MIGRATIONS, SCHEMA_VERSION, open_database


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


def test_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite3"
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    database.close()
    with pytest.raises(StoreError, match="written by a newer manyply"):
        open_database(path)


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite3"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError, match="is not a manyply database"):
        open_database(path)


def test_state_directory_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot create"):
        open_database(tmp_path / "file" / "jobs.sqlite3")


def test_database_of_version_1_keeps_its_jobs_and_gets_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "jobs.sqlite3"
    old = sqlite3.connect(path)
    old.executescript(_MIGRATIONS[0] + "PRAGMA user_version = 1;")
    values = ", ".join(["'x'"] * 15)
    old.execute(f"INSERT INTO job VALUES (7, {values})")
    old.execute("INSERT INTO trial_run VALUES (7, 0, 1, x'0011223344556677')")
    old.commit()
    old.close()
    database = open_database(path)
    assert database.execute("PRAGMA user_version").fetchone() == (2,)
    assert database.execute("SELECT job, label FROM job").fetchall() == [(7, "x")]
    assert database.execute("SELECT COUNT(*) FROM trial_run").fetchone() == (1,)
    write_answers(database, [AnswerRow(b"d" * 32, "e", "text")], [], day=1)
    assert read_answers(database, [b"d" * 32], day=1) == ({b"d" * 32: "text"}, [])
    database.close()
