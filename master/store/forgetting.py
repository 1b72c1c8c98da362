"""Deleting jobs, and giving their space back to the disk."""

import sqlite3

from master.store.schema import transaction

FREE_PAGES_MIN = 256
"""1 MB: less is soon used again, and not worth writing the file anew."""

FREE_SHARE_MIN = 0.25
"""Of the file; to write it anew costs time for the rest, not for the free space."""


def delete_job(database: sqlite3.Connection, job: int) -> None:
    """Delete a job and all that is stored of it: all of it or, after a power cut, nothing."""
    with transaction(database):
        for table in ("trial_run", "fold_snapshot", "unconfirmed", "withdrawal", "search", "job"):
            database.execute(f"DELETE FROM {table} WHERE job = ?", (job,))


def reclaim_space(database: sqlite3.Connection) -> None:
    """Write the file anew without its free pages, if they are many.

    While another process is writing this waits for the next time: free pages are used again.
    """
    (free,) = database.execute("PRAGMA freelist_count").fetchone()
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    if free < FREE_PAGES_MIN or free < FREE_SHARE_MIN * pages:
        return
    try:
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise
