"""The database's tables, their version, and the way from an older version to this one.

Knows SQL. Must not know what the columns are used for.

Durability: WAL with synchronous=FULL: a committed transaction survives `kill -9` and power loss.
"""

import os
import sqlite3
from pathlib import Path

from master.store.errors import StoreError, to_store_error

SCHEMA_VERSION = 2
BUSY_TIMEOUT_S = 10.0  # Another process's group commit takes milliseconds; a slow disk, a second.

# A trial_run is consecutive trials of one job as one blob (see trials.py). One row for many trials
# keeps the writer out of the way of the event loop: SQLite's binding lets go of the interpreter
# lock and takes it back at every statement, and each taking back can cost a switch interval.
_VERSION_1 = """
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
  created TEXT NOT NULL
);
CREATE TABLE trial_run (
  job INTEGER NOT NULL REFERENCES job,
  first_seq INTEGER NOT NULL CHECK (first_seq >= 0),
  trial_count INTEGER NOT NULL CHECK (trial_count > 0),
  trial_values BLOB NOT NULL,
  PRIMARY KEY (job, first_seq)
);
CREATE TABLE fold_snapshot (
  job INTEGER PRIMARY KEY REFERENCES job,
  folded INTEGER NOT NULL,
  snapshot TEXT NOT NULL
);
"""
# An answer belongs to a question, whose SHA-256 is its name; `engine` says whose it is, `used` the
# day (since 1970, UTC) when it was read or written last.
_VERSION_2 = """
CREATE TABLE answer (
  digest BLOB PRIMARY KEY NOT NULL,
  engine TEXT NOT NULL,
  text TEXT NOT NULL,
  used INTEGER NOT NULL
);
CREATE INDEX answer_used ON answer (used);
"""
_MIGRATIONS: tuple[str, ...] = (_VERSION_1, _VERSION_2)  # script i leads from version i to i + 1


def open_database(path: Path) -> sqlite3.Connection:
    """Return a connection to the database at this schema version, creating what is missing.

    The connection may be used from any thread, by one thread at a time.

    Raises:
        StoreError: the file cannot be opened, or a newer manyply wrote it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError(f"cannot create {path.parent}: {error.strerror}") from None
    try:
        return _open(path)
    except sqlite3.Error as error:
        raise to_store_error(error, path) from None


def _open(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    database = sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = ON")
        _migrate(database, path)
    except BaseException:
        database.close()
        raise
    if is_new:
        _sync_directory(path.parent)
    return database


def _migrate(database: sqlite3.Connection, path: Path) -> None:
    version = _version(database)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} was written by a newer manyply (schema {version}; this one knows "
            f"{SCHEMA_VERSION}): upgrade manyply"
        )
    if version == SCHEMA_VERSION:
        return
    database.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have migrated between the look and the lock.
        for number in range(_version(database), SCHEMA_VERSION):
            for statement in _MIGRATIONS[number].split(";"):
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        database.execute("COMMIT")
    except BaseException:
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _sync_directory(directory: Path) -> None:
    """Make the new file's name durable too: SQLite syncs the file, not the directory above it."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
