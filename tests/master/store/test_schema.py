import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from master.config.paths import database_path, job_lock_path
from master.store import schema
from master.store.checksums import (
    CHECKSUM_BYTES,
    Column,
    checksum,
    from_stored_bytes,
    to_stored_bytes,
)
from master.store.errors import JobBusyError, StoreError, UnknownJobError, to_store_error
from master.store.lock import JobLock, is_locked
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


columns = st.none() | st.integers() | st.floats(allow_nan=False) | st.binary() | st.binary().map(
    from_stored_bytes
)  # fmt: skip
rows = st.lists(columns).map(tuple)


def bits(row: tuple[Column, ...]) -> tuple[tuple[type, str], ...]:
    return tuple((type(x), x.hex() if isinstance(x, float) else repr(x)) for x in row)


@given(rows, rows)
def test_different_rows_have_different_checksums(
    one: tuple[Column, ...], other: tuple[Column, ...]
) -> None:
    assume(bits(one) != bits(other))
    assert checksum(*one) != checksum(*other)


@given(rows)
def test_checksum_is_of_the_bits(row: tuple[Column, ...]) -> None:
    assert len(checksum(*row)) == CHECKSUM_BYTES
    assert checksum(*row) == checksum(*row)


def test_columns_do_not_run_into_each_other() -> None:
    assert len({checksum("ab", "c"), checksum("a", "bc"), checksum("abc"), checksum(b"abc")}) == 4
    assert checksum(1) != checksum(1.0)
    assert checksum(0.0) != checksum(-0.0)


@given(st.binary())
def test_whatever_a_text_column_holds_is_kept(content: bytes) -> None:
    assert to_stored_bytes(from_stored_bytes(content)) == content


def test_checksums_stay_what_they_are_in_files_that_exist() -> None:
    row = (1, 0, 2, b"\x00" * 16, "text", 0.5, None)
    assert checksum(*row).hex() == "edb93e9154861429"


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


HOLDER = """
import sys
from pathlib import Path
from master.store.lock import JobLock
lock = JobLock(Path(sys.argv[1]), 1)
print("locked", flush=True)
sys.stdin.read()
"""


def test_job_is_free_again_when_its_lock_is_released(tmp_path: Path) -> None:
    with JobLock(tmp_path, 1) as lock:
        assert is_locked(tmp_path, 1)
        with pytest.raises(JobBusyError, match="job 1 is being run by another process"):
            JobLock(tmp_path, 1)
        JobLock(tmp_path, 2).release()
    lock.release()
    assert not is_locked(tmp_path, 1)


def test_owner_without_a_name_is_unknown(tmp_path: Path) -> None:
    with JobLock(tmp_path, 1):
        job_lock_path(tmp_path, 1).write_bytes(b"")
        with pytest.raises(JobBusyError, match=r"by another process \(unknown\)"):
            JobLock(tmp_path, 1)


@pytest.mark.parametrize("trace", ["locks/job-2.lock", "jobs.sqlite3-wal"])
def test_empty_database_where_jobs_were_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trace: str
) -> None:
    monkeypatch.setattr(schema, "EMPTY_S_MAX", 0.0)
    path = database_path(tmp_path)
    path.touch()
    (tmp_path / "locks").mkdir()
    (tmp_path / trace).write_bytes(b"process 1")
    with pytest.raises(StoreError, match=rf"there were jobs in it \({trace}\)"):
        open_database(path)


def test_unknown_job_is_not_locked(tmp_path: Path) -> None:
    assert not is_locked(tmp_path, 1)


def test_lock_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("")
    with pytest.raises(StoreError, match="cannot lock job 1"):
        JobLock(tmp_path, 1)


@pytest.mark.slow
def test_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(JobBusyError, match=f"process {holder.pid}"):
            JobLock(tmp_path, 1)
        holder.kill()
        holder.wait()
    JobLock(tmp_path, 1).release()
