"""Rows saved from a damaged database into a new one.

The damaged database is read as bytes alone, and never written.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from master.store.checksums import Column, checksum
from master.store.errors import DATABASE_ERRORS, StoreError, to_store_error
from master.store.records import REQUEST_COLUMNS
from master.store.salvage.pages import (
    PAGE_BYTES,
    PageFile,
    Row,
    free_pages,
    is_of_tree,
    reachable,
    read_pages,
    roots_of,
    rows_of,
)
from master.store.schema import LOG_ENDS, create_tables, open_database, prepare, transaction
from protocol.guards.file_errors import file_error_text

Values = dict[str, Column]


class Table(NamedTuple):
    """A table as the schema has it now; older rows have fewer columns.

    Args:
        name: of the table.
        columns: their names, in the order of the file.
        reals: those that are numbers with a fraction; the file keeps whole ones as integers.
        rowid: the column that is the row's number; empty: none.
    """

    name: str
    columns: tuple[str, ...]
    reals: frozenset[str]
    rowid: str


CHECKED: dict[str, tuple[str, ...]] = {
    "trial_run": ("job", "first_seq", "trial_count", "trial_values"),
    "fold_snapshot": ("job", "folded", "snapshot"),
    "answer": ("digest", "engine", "text"),
    "withdrawal": ("job", "analyser", "trial_count", "text"),
    "search": ("job", "nodes", "seconds", "answer", "is_confirmed", "bounds"),
}
"""The columns that the column `checksum` of a table covers; see where its rows are written."""

KEYS: dict[str, tuple[str, ...]] = {
    "job": ("job",),
    "trial_run": ("job", "first_seq"),
    "fold_snapshot": ("job",),
    "answer": ("digest",),
    "withdrawal": ("job", "analyser", "trial_count", "text"),
    "search": ("job",),
    "unconfirmed": ("job", "part", "attempt"),
}
"""Of two rows with one key the first found is kept: of a page that the file's trees lead to."""


@dataclass
class Found:
    """The content found in a file.

    Args:
        rows: undamaged ones, by table and key.
        damaged_trials: of each job, first trial and count of rows that are damaged.
        damaged_jobs: whose records are damaged.
        damaged_rows: how many rows of a known table are damaged, of any kind.
        damaged_pages: how many pages of the file's trees cannot be read at all.
        last_job: the largest number ever given, as far as it is known.
    """

    rows: dict[str, dict[tuple[Column, ...], Values]] = field(
        default_factory=lambda: {name: {} for name in KEYS}
    )
    damaged_trials: dict[int, set[tuple[int, int]]] = field(default_factory=dict)
    damaged_jobs: set[int] = field(default_factory=set)
    damaged_rows: int = 0
    damaged_pages: int = 0
    last_job: int = 0

    @property
    def jobs(self) -> list[int]:
        """The jobs whose records are whole."""
        return sorted(to_number(key) for (key,) in self.rows["job"])


def to_number(column: Column) -> int:
    """Return a column that has the type of a number."""
    assert isinstance(column, int), "its row has the form of its table"
    return column


def find_rows(pages: PageFile) -> Found:
    """Return all undamaged rows, and notes on the damaged ones.

    Bit for bit the same for the same file: pages are read in their order, those that the trees lead
    to before those that are cut off by damage.
    """
    tables, found = known_tables(), Found()
    live = reachable(pages, [1, *roots_of(pages).values()])
    others = set(range(1, pages.page_count + 1)) - live - free_pages(pages)
    found.damaged_pages = sum(not is_of_tree(pages, number) for number in live)
    for number in (*sorted(live), *sorted(others)):
        for row in rows_of(pages, number):
            _sort_in(row, tables, found)
    for job in found.damaged_jobs & set(found.jobs):
        found.damaged_jobs.discard(job)  # an older copy of its record
    return found


def known_tables() -> dict[str, Table]:
    """Return the tables of this schema version."""
    tables: dict[str, Table] = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        prepare(database)
        create_tables(database)
        for name in KEYS:
            columns = database.execute(f"PRAGMA table_info({name})").fetchall()
            rowids = [each[1] for each in columns if each[5] and each[2] == "INTEGER"]
            is_rowid = len([each for each in columns if each[5]]) == 1 and bool(rowids)
            tables[name] = Table(
                name,
                tuple(each[1] for each in columns),
                frozenset(each[1] for each in columns if each[2] == "REAL"),
                rowids[0] if is_rowid else "",
            )
    return tables


def _sort_in(row: Row, tables: dict[str, Table], found: Found) -> None:
    """Add a row to its table, or note its damage."""
    if row.columns[:1] == ("job",) and len(row.columns) == 2:  # of sqlite_sequence
        given = row.columns[1]
        found.last_job = max(found.last_job, given if isinstance(given, int) else 0)
        return
    likely: list[tuple[str, Values]] = []
    for name, table in tables.items():
        values = _values(row, table)
        if values is None or not _SHAPES[name](values):
            continue
        if _is_whole(name, values):
            key = tuple(values[column] for column in KEYS[name])
            found.rows[name].setdefault(key, values)
            return
        likely.append((name, values))
    for name, values in likely:
        _note_damage(name, values, found)


def _note_damage(name: str, values: Values, found: Found) -> None:
    found.damaged_rows += 1
    job = values.get("job")
    if not isinstance(job, int):
        return
    if name == "job":
        found.damaged_jobs.add(job)
    if name == "trial_run":
        span = to_number(values["first_seq"]), to_number(values["trial_count"])
        found.damaged_trials.setdefault(job, set()).add(span)


def _values(row: Row, table: Table) -> Values | None:
    """Return a row's columns by name; None where it has not so many as the table."""
    count = len(row.columns)
    if not _LEAST_COLUMNS[table.name] <= count <= len(table.columns):
        return None
    values = dict(zip(table.columns, row.columns, strict=False))
    if table.rowid:
        if values[table.rowid] is not None:
            return None
        values[table.rowid] = row.rowid
    for name in table.reals & values.keys():
        if isinstance(number := values[name], int):
            values[name] = float(number)
    return values


def _is_whole(name: str, values: Values) -> bool:
    if name == "unconfirmed":  # has no checksum; one too many costs some trials computed again
        return True
    if name == "job":
        return _has_request(values)
    columns = CHECKED[name]
    return checksum(*(values[column] for column in columns)) == values["checksum"]


def _has_request(values: Values) -> bool:
    """Whether the request in a job's record is undamaged; the state follows from trials too."""
    request = [values.get(column) for column in REQUEST_COLUMNS.split(", ")]
    if request[-1] is None:  # it counts where it is given
        request.pop()
    return checksum(values["job"], *request) == values["request_checksum"]


def _are(values: Values, kind: type, names: Iterable[str]) -> bool:
    return all(isinstance(values[name], kind) for name in names)


def _is_job(values: Values) -> bool:
    return _are(values, str, ("context", "digest", "game", "engine", "state", "created"))


def _is_run(values: Values) -> bool:
    return _are(values, int, CHECKED["trial_run"][:3]) and _are(values, bytes, ("trial_values",))


def _is_snapshot(values: Values) -> bool:
    return _are(values, int, ("folded",)) and _are(values, str, ("snapshot",))


def _is_answer(values: Values) -> bool:
    return _are(values, bytes, ("digest",)) and _are(values, str, ("engine", "text"))


def _is_withdrawal(values: Values) -> bool:
    return _are(values, int, ("job", "trial_count")) and _are(values, str, ("analyser", "text"))


def _is_search(values: Values) -> bool:
    return _are(values, int, ("nodes", "is_confirmed")) and _are(values, bytes, ("bounds",))


def _is_mark(values: Values) -> bool:
    names = ("job", "part", "attempt", "first_seq", "end_seq")
    if not _are(values, int, names):
        return False
    return 0 <= to_number(values["first_seq"]) < to_number(values["end_seq"])


_SHAPES: dict[str, Callable[[Values], bool]] = {
    "job": _is_job,
    "trial_run": _is_run,
    "fold_snapshot": _is_snapshot,
    "answer": _is_answer,
    "withdrawal": _is_withdrawal,
    "search": _is_search,
    "unconfirmed": _is_mark,
}
_LEAST_COLUMNS = {
    "job": 18,
    "trial_run": 5,
    "fold_snapshot": 4,
    "answer": 5,
    "withdrawal": 5,
    "search": 7,
    "unconfirmed": 5,
}
"""Of rows with checksums, which are those of version 3 on."""


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
