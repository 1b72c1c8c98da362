"""The errors of the store, each as one clear line."""

import sqlite3
from pathlib import Path

from master.contract.errors import MasterError
from protocol.guards.file_errors import FULL, shortage_text


class StoreError(MasterError):
    """The store cannot carry out a request; the text is one line for the user."""


class UnknownJobError(StoreError):
    """There is no such job in this state directory."""

    def __init__(self, job: int) -> None:
        super().__init__(f"there is no job {job}")


class JobBusyError(StoreError):
    """Another process is running the job."""

    def __init__(self, job: int, owner: str) -> None:
        super().__init__(f"job {job} is being run by another process ({owner})")


class DamagedError(StoreError):
    """A stored row differs from the one that was written; the text names it and a remedy."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(f"{path}: {text}")


class StateLostError(StoreError):
    """The database is not in its place any more; the text says where its content is."""


SALVAGE = "`manyply salvage` gets out what can be read"

DAMAGED = f"the file is damaged: {SALVAGE}"

_WORDING = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_READONLY: "the file cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_NOTADB: f"the file is not a manyply database, or is damaged: {SALVAGE}",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: "another process holds the file for too long",
}

_MAY_BE_FULL = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
"""SQLite's errors for some cases in which a disk, a quota or a file is full: for the log's index,
for a file that it cannot make, and where only the flush of a file fails."""


DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""The errors of the binding. Their words may quote a damaged file, which is not UTF-8 then; a
damaged length may ask for 2 GB."""


def to_store_error(
    error: sqlite3.Error | UnicodeDecodeError | MemoryError, path: Path
) -> StoreError:
    """Return SQLite's error as one line that names the file."""
    if isinstance(error, MemoryError):
        return StoreError(
            f"cannot use {path}: not enough memory, or the file is damaged: {SALVAGE}"
        )
    if isinstance(error, UnicodeDecodeError):
        return StoreError(f"cannot use {path}: {DAMAGED}")
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        is_ours = type(error) is sqlite3.DatabaseError  # errors of SQLite have a number
        return StoreError(f"cannot use {path}: {error}{f': {DAMAGED}' if is_ours else ''}")
    kind = code & 0xFF
    shortage = ""
    if kind in _MAY_BE_FULL:
        shortage = shortage_text(path, path.with_name(f"{path.name}-wal"))
    if kind == sqlite3.SQLITE_ERROR:  # of our statements: the tables are not as they were made
        return StoreError(f"cannot use {path}: {error}: {DAMAGED}")
    return StoreError(f"cannot use {path}: {shortage or _WORDING.get(kind) or error}")
