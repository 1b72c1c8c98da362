"""The rows found in a damaged file: the table of each, and whether it is undamaged.

A row's checksum covers its key and its columns (see checksums.py), so it answers both: no schema is
needed, and a row that fits no table is reported, never kept.  Pure but for a schema in memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import NamedTuple

from master.store.checksums import Column, checksum
from master.store.records import REQUEST_COLUMNS
from master.store.salvage.pages import (
    PageFile,
    Row,
    free_pages,
    is_of_tree,
    reachable,
    roots_of,
    rows_of,
)
from master.store.schema import create_tables, prepare

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
