"""The database's tables and their version.

Durability: WAL with synchronous=FULL: a committed transaction survives `kill -9` and power loss.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from master.config.paths import JOB_LOCKS
from master.store.checksums import checksum, from_stored_bytes
from master.store.errors import DATABASE_ERRORS, SALVAGE, StoreError, to_store_error
from protocol.guards.file_errors import file_error_text

SCHEMA_VERSION = 8
"""Of the tables; earlier versions were never released."""

APPLICATION_ID = int.from_bytes(b"mply")
"""In the header: the file is a manyply database."""

FILE_MODE = 0o600
"""Analyses are their owner's own business."""

LOG_ENDS = ("-wal", "-shm")
"""How SQLite names the log of a database, and the log's index, beside it."""

BUSY_TIMEOUT_S = 10.0
"""Another process's group commit takes milliseconds; a slow disk, a second."""

_TABLES = """
CREATE TABLE job (
  job INTEGER PRIMARY KEY AUTOINCREMENT,
  context TEXT NOT NULL,
  digest TEXT NOT NULL,
  game TEXT NOT NULL,
  engine TEXT NOT NULL,
  alternative_names TEXT NOT NULL,
  value_names TEXT NOT NULL,
  trials INTEGER,
  stop_se REAL,
  state TEXT NOT NULL,
  stopped_by TEXT NOT NULL,
  error TEXT NOT NULL,
  folded INTEGER NOT NULL,
  runs_in TEXT NOT NULL,
  label TEXT NOT NULL,
  created TEXT NOT NULL,
  request_checksum BLOB NOT NULL DEFAULT x'',
  standing_checksum BLOB NOT NULL DEFAULT x'',
  stop_settled REAL,
  priority TEXT NOT NULL DEFAULT 'standing'
);
CREATE TABLE trial_run (
  job INTEGER NOT NULL REFERENCES job,
  first_seq INTEGER NOT NULL CHECK (first_seq >= 0),
  trial_count INTEGER NOT NULL CHECK (trial_count > 0),
  trial_values BLOB NOT NULL,
  checksum BLOB NOT NULL DEFAULT x'',
  PRIMARY KEY (job, first_seq)
);
CREATE TABLE fold_snapshot (
  job INTEGER PRIMARY KEY REFERENCES job,
  folded INTEGER NOT NULL,
  snapshot TEXT NOT NULL,
  checksum BLOB NOT NULL DEFAULT x''
);
CREATE TABLE answer (
  digest BLOB PRIMARY KEY NOT NULL,
  engine TEXT NOT NULL,
  text TEXT NOT NULL,
  used INTEGER NOT NULL,
  checksum BLOB NOT NULL DEFAULT x'',
  source TEXT NOT NULL DEFAULT ''
);
CREATE INDEX answer_used ON answer (used);
CREATE TABLE unconfirmed (
  job INTEGER NOT NULL REFERENCES job,
  part INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  end_seq INTEGER NOT NULL,
  PRIMARY KEY (job, part, attempt)
);
CREATE TABLE withdrawal (
  job INTEGER NOT NULL REFERENCES job,
  analyser TEXT NOT NULL,
  trial_count INTEGER NOT NULL,
  text TEXT NOT NULL,
  checksum BLOB NOT NULL
);
CREATE INDEX withdrawal_job ON withdrawal (job);
CREATE TABLE search (
  job INTEGER PRIMARY KEY REFERENCES job,
  nodes INTEGER NOT NULL,
  seconds REAL NOT NULL,
  answer TEXT NOT NULL,
  is_confirmed INTEGER NOT NULL,
  bounds BLOB NOT NULL,
  checksum BLOB NOT NULL
)
"""
"""Every row has a checksum of its columns (see checksums.py; `row_checksum` in SQL).  A job has
two: one of its request, one of its state.

trial_run: consecutive trials of one job as one blob (see trials.py).  One row for many trials keeps
the writer out of the way of the event loop: SQLite's binding releases the interpreter lock at every
statement, and each taking back can cost a switch interval.
answer: named by the SHA-256 of its question; `engine` computed it, `used` is the day (since 1970,
UTC) of its last use, `source` the analyser's name.
unconfirmed, withdrawal: see unconfirmed.py.  search: see searches.py.

No checksum counts `priority` and `source`: no result depends on them.
"""

TABLES = frozenset(
    {"job", "trial_run", "fold_snapshot", "answer", "unconfirmed", "withdrawal", "search"}
)

_AS_MADE = {"encoding": "UTF-8", "auto_vacuum": 0}
"""Fields of the header that never change, and that SQLite believes with any value."""


def open_database(path: Path, *, must_be_new: bool = False) -> sqlite3.Connection:
    """Return a connection to the database, which is created if it is missing.

    The connection may be used from any thread, by one thread at a time. With `must_be_new` a file
    that is there already is refused.

    Raises:
        StoreError: the file cannot be opened, or has another schema version.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"cannot create {path.parent}: {file_error_text(error)}") from None
    try:
        return _open(path, must_be_new)
    except DATABASE_ERRORS as error:
        raise to_store_error(error, path) from None


def _open(path: Path, must_be_new: bool) -> sqlite3.Connection:
    is_new = must_be_new or not path.exists()
    if not is_new:
        _check_not_emptied(path)
    _make_private(path, must_be_new)
    database = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        prepare(database)
        database.execute("PRAGMA cell_size_check = ON")
        check_origin(database, path)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        if version_of(database) == 0:
            with transaction(database):
                create_tables(database)
        check_tables(database, path)
    except BaseException:
        database.close()
        if must_be_new:
            for end in ("", *LOG_ENDS):
                path.with_name(path.name + end).unlink(missing_ok=True)
        raise
    if is_new:
        _sync_directory(path.parent)
    return database


EMPTY_S_MAX = 1.0
"""Another process that makes the file writes its first page within milliseconds."""

EMPTY_POLL_S = 0.05


def _check_not_emptied(path: Path) -> None:
    """Refuse a file of 0 bytes where jobs were: SQLite would take it for a new one.

    Jobs were there if one was ever run, which leaves a lock's file, or if the log holds some. A
    file that another process makes just now is empty for a moment, but never for so long.
    """
    deadline = time.monotonic() + EMPTY_S_MAX
    while path.stat().st_size == 0 and (trace := _trace_of_jobs(path)):
        if time.monotonic() > deadline:
            raise StoreError(
                f"cannot use {path}: it is empty (0 bytes), and there were jobs in it ({trace}): "
                f"put a copy of it back, or delete it to begin anew; {SALVAGE}"
            )
        time.sleep(EMPTY_POLL_S)


def _trace_of_jobs(path: Path) -> str:
    """Return the name of a file that is there because jobs were; empty: none is."""
    log = path.with_name(f"{path.name}-wal")
    with contextlib.suppress(OSError):
        if log.stat().st_size:
            return log.name
    locks = sorted(path.parent.glob(JOB_LOCKS))
    return f"{locks[-1].parent.name}/{locks[-1].name}" if locks else ""


def _make_private(path: Path, must_be_new: bool) -> None:
    """Make the file its owner's alone; SQLite gives the files beside it the mode of the first.

    A file that exists is not opened here: closing it again would let go of the locks of every
    other connection of this process.
    """
    try:
        with contextlib.suppress(*() if must_be_new else (FileExistsError,)):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE))
        for file in (path, *(path.with_name(path.name + end) for end in LOG_ENDS)):
            _close_to_others(file)
    except OSError as error:
        raise StoreError(f"cannot use {path}: {file_error_text(error)}") from None


def _close_to_others(file: Path) -> None:
    """Take others' rights to a file away, if it is there and ours."""
    with contextlib.suppress(FileNotFoundError):
        status = file.stat()
        if status.st_mode & 0o077 and status.st_uid == os.geteuid() and file.is_file():
            file.chmod(FILE_MODE)


def check_origin(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a database of another program, or of another version, before anything is written."""
    database.execute("BEGIN")  # another process may be making the tables: see all or nothing of it
    version = version_of(database)
    (mark,) = database.execute("PRAGMA application_id").fetchone()
    (table_count,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    database.execute("COMMIT")
    has_mark = mark == APPLICATION_ID
    if version < 0 or (version == 0 and table_count) or has_mark != (version > 0):
        raise StoreError(
            f"cannot use {path}: the file is not a manyply database, or is damaged: {SALVAGE}"
        )
    if version not in (0, SCHEMA_VERSION):
        which = "a newer manyply" if version > SCHEMA_VERSION else "an unreleased manyply"
        raise StoreError(
            f"{path} was written by {which} (schema {version}; this one reads {SCHEMA_VERSION})"
        )


def check_tables(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that has lost tables or jobs before anything is computed for it.

    A job that a damaged page no longer lists would else just not be there. The table of jobs is
    small; of the others every row has a checksum, and a job's record has their number.
    """
    found = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    missing = ", ".join(sorted(TABLES - found))
    if missing:
        raise StoreError(
            f"cannot use {path}: the file is damaged: it has lost {missing}: {SALVAGE}"
        )
    (found_wrong,) = database.execute("PRAGMA quick_check('job')").fetchone()
    if found_wrong != "ok":
        raise StoreError(f"cannot use {path}: the file is damaged: its list of jobs is: {SALVAGE}")
    for pragma, expected in _AS_MADE.items():
        if database.execute(f"PRAGMA {pragma}").fetchone() != (expected,):
            raise StoreError(f"cannot use {path}: the file is damaged: its header is: {SALVAGE}")


def create_tables(database: sqlite3.Connection) -> None:
    """Create the tables unless another process just has; the caller commits."""
    if version_of(database) == SCHEMA_VERSION:
        return
    for statement in _TABLES.split(";"):
        database.execute(statement)
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def prepare(database: sqlite3.Connection) -> None:
    """Give a connection our reading of texts and our functions."""
    database.text_factory = from_stored_bytes
    database.create_function("row_checksum", -1, checksum, deterministic=True)


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Commit all statements inside, or none of them."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def version_of(database: sqlite3.Connection) -> int:
    """Return the version of the tables that are there."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _sync_directory(directory: Path) -> None:
    """Make the new file's name durable too: SQLite syncs the file, not the directory above it."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
