"""A damaged database's rows in a new one, and a line for each job about its losses.

The damaged database is read as bytes alone, and never written.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from master.store.errors import DATABASE_ERRORS, StoreError, to_store_error
from master.store.salvage.pages import PAGE_BYTES, read_pages
from master.store.salvage.rows import KEYS, Found, Values, find_rows, to_number
from master.store.schema import open_database, transaction
from protocol.guards.file_errors import file_error_text

LOG_ENDS = ("-wal", "-shm")
NAMES_TRIED = 1000
"""A name beside the file that is free: so many salvages of one directory."""


@dataclass(frozen=True)
class SalvagedJob:
    """The rest of a job.

    Args:
        job: its number.
        label: the submitter's words; empty where the record is lost.
        is_whole: no damage to any row of it was met.
        trials: stored ones.
        damaged: first trial and count of each row of trials that is damaged.
        has_record: it can be listed, shown and resumed; else nothing of it is of use.
    """

    job: int
    label: str
    is_whole: bool
    trials: int
    damaged: tuple[tuple[int, int], ...] = ()
    has_record: bool = True


@dataclass(frozen=True)
class Salvaged:
    """The result of a salvage.

    Args:
        path: of the new database.
        jobs: all of which anything was found, by number.
        answers: how many answers to questions.
        damaged_rows: met while reading.
        damaged_pages: of which no row could be read.
    """

    path: Path
    jobs: tuple[SalvagedJob, ...]
    answers: int
    damaged_rows: int
    damaged_pages: int

    @property
    def is_whole(self) -> bool:
        """Whether no damage was met."""
        has_damage = self.damaged_rows or self.damaged_pages
        return not has_damage and all(job.is_whole for job in self.jobs)


def salvage(damaged: Path, new: Path) -> Salvaged:
    """Write a new database of all undamaged rows of a damaged one.

    Raises:
        StoreError: the file cannot be read, nothing is found in it, or the new one cannot be
            written; then there is no new one.
    """
    found = _found_in(damaged)
    database = open_database(new, must_be_new=True)
    try:
        _write(found, database, new)
    except BaseException:
        for file in (new, *(new.with_name(new.name + end) for end in LOG_ENDS)):
            file.unlink(missing_ok=True)
        raise
    answers = len(found.rows["answer"])
    return Salvaged(new, _jobs(found), answers, found.damaged_rows, found.damaged_pages)


def free_name(beside: Path, word: str) -> Path:
    """Return the first name of a kind beside a file that no file has: `jobs-WORD-1.sqlite3`."""
    for number in range(1, NAMES_TRIED + 1):
        path = beside.with_name(f"{beside.stem}-{word}-{number}{beside.suffix}")
        if not os.path.lexists(path):
            return path
    raise StoreError(f"{beside.parent} has {NAMES_TRIED} files named {beside.stem}-{word}")


def put_in_place(new: Path, path: Path) -> Path | None:
    """Rename a database to `path`; return where the file that was there is now, if there was one.

    Its log goes with it: SQLite would take the rest of one for the new file's.
    """
    aside = None
    try:
        if any(map(os.path.lexists, _files_of(path))):
            aside = free_name(path, "damaged")
            for file, other in zip(_files_of(path), _files_of(aside), strict=True):
                with contextlib.suppress(FileNotFoundError):
                    file.rename(other)
        new.rename(path)
    except OSError as error:
        raise StoreError(f"cannot put {new} in place: {file_error_text(error)}") from None
    return aside


def _files_of(path: Path) -> list[Path]:
    return [path.with_name(path.name + end) for end in ("", *LOG_ENDS)]


def _found_in(path: Path) -> Found:
    log = path.with_name(f"{path.name}-wal")
    pages = read_pages(_bytes_of(path), _bytes_of(log) if log.exists() else b"")
    found = find_rows(pages)
    if not any(found.rows.values()):
        empty = "" if pages.page_count else ": it is empty"
        raise StoreError(f"{path}: no row of a manyply database is found in it{empty}")
    return found


def _bytes_of(path: Path) -> bytes:
    """Return a file's bytes; a large one is mapped, not read."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size < PAGE_BYTES:
                return file.read()
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)  # type: ignore[return-value]
    except OSError as error:
        raise StoreError(f"cannot read {path}: {file_error_text(error)}") from None


def _write(found: Found, database: sqlite3.Connection, path: Path) -> None:
    with closing(database):
        try:
            with transaction(database):
                for table in KEYS:  # jobs first: the others refer to them
                    _insert(database, table, _kept(found, table))
                _remember_last_job(database, found)
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except DATABASE_ERRORS as error:
            raise to_store_error(error, path) from None


def _kept(found: Found, table: str) -> list[Values]:
    """Return a table's rows, but for those of jobs that have no record."""
    rows = found.rows[table].values()
    return [row for row in rows if "job" not in row or (row["job"],) in found.rows["job"]]


def _insert(database: sqlite3.Connection, table: str, rows: Sequence[Values]) -> None:
    for row in rows:
        marks = ", ".join("?" * len(row))
        names = ", ".join(row)
        statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"
        database.execute(statement, tuple(row.values()))


def _remember_last_job(database: sqlite3.Connection, found: Found) -> None:
    """Have no number given again, of lost jobs neither."""
    last = max([found.last_job, *found.jobs, *found.damaged_jobs])
    database.execute("DELETE FROM sqlite_sequence WHERE name = 'job'")
    database.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('job', ?)", (last,))


def _jobs(found: Found) -> tuple[SalvagedJob, ...]:
    trials: dict[int, int] = {}
    for row in found.rows["trial_run"].values():
        job = to_number(row["job"])
        trials[job] = trials.get(job, 0) + to_number(row["trial_count"])
    known = set(found.jobs)
    jobs = known | found.damaged_jobs | set(trials)
    return tuple(
        SalvagedJob(
            job=job,
            label=str(found.rows["job"][job,]["label"]) if job in known else "",
            is_whole=job in known and job not in found.damaged_trials,
            trials=trials.get(job, 0),
            damaged=tuple(sorted(found.damaged_trials.get(job, ()))),
            has_record=job in known,
        )
        for job in sorted(jobs)
    )
