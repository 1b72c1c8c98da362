"""What can go wrong with the store, each as one clear line.

Knows how SQLite words its errors. Must not know who reads the line.
"""

import sqlite3
from pathlib import Path

from master.contract.errors import MasterError


class StoreError(MasterError):
    """The store cannot do what was asked; the text is one line for the user."""


class UnknownJobError(StoreError):
    """There is no such job in this state directory."""

    def __init__(self, job: int) -> None:
        super().__init__(f"there is no job {job}")


class JobBusyError(StoreError):
    """Another process is running the job."""

    def __init__(self, job: int, owner: str) -> None:
        super().__init__(f"job {job} is being run by another process ({owner})")


class DamagedError(StoreError):
    """What is stored is not what was written; the text names it and what to do."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(f"{path}: {text}")


_WORDING = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk reports an error",
    sqlite3.SQLITE_READONLY: "the file cannot be written",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_NOTADB: "the file is not a manyply database",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_BUSY: "another process holds the file for too long",
}


DATABASE_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What the binding raises. An error's words may quote a damaged file, which is not UTF-8 then; a
damaged length may ask for 2 GB."""


def to_store_error(
    error: sqlite3.Error | UnicodeDecodeError | MemoryError, path: Path
) -> StoreError:
    """Return SQLite's error as one line that names the file."""
    code = getattr(error, "sqlite_errorcode", None)
    if isinstance(error, MemoryError):
        return StoreError(f"cannot use {path}: not enough memory, or the file is damaged")
    if isinstance(error, UnicodeDecodeError):
        return StoreError(f"cannot use {path}: {_WORDING[sqlite3.SQLITE_CORRUPT]}")
    wording = _WORDING.get(code & 0xFF) if isinstance(code, int) else None
    return StoreError(f"cannot use {path}: {wording or error}")
