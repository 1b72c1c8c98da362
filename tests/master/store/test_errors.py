import sqlite3
from pathlib import Path

import pytest

from master.store.errors import JobBusyError, StoreError, UnknownJobError, to_store_error
from master.store.schema import open_database


def test_sqlite_error_becomes_one_line_that_names_the_file(tmp_path: Path) -> None:
    database = sqlite3.connect(":memory:")
    try:
        database.execute("PRAGMA max_page_count = 1")
        database.execute("CREATE TABLE a (b)")
    except sqlite3.Error as error:
        text = str(to_store_error(error, tmp_path))
    finally:
        database.close()
    assert text == f"cannot use {tmp_path}: the disk is full"


def test_unforeseen_sqlite_error_keeps_its_own_words(tmp_path: Path) -> None:
    assert str(to_store_error(sqlite3.Error("odd"), tmp_path)) == f"cannot use {tmp_path}: odd"


def test_errors_name_the_job() -> None:
    assert str(UnknownJobError(3)) == "there is no job 3"
    assert str(JobBusyError(3, "process 9")) == "job 3 is being run by another process (process 9)"


def test_error_whose_words_are_damaged_too_is_one_line(tmp_path: Path) -> None:
    """SQLite quotes the schema's text, and Python cannot decode it."""
    path = tmp_path / "jobs.sqlite3"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE a (b)")
    database.close()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"CREATE TABLE a", b"CREATE TAB\xcb\xff a"))
    with pytest.raises(StoreError, match="the file is damaged"):
        open_database(path)
