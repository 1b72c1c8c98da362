"""The stored state of a job that is a search: its progress, and its proved bounds."""

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from master.store.checksums import checksum

Select = Callable[..., list[tuple[Any, ...]]]


class StoredSearch(NamedTuple):
    """The state of a search; at the beginning all of it is empty.

    Args:
        nodes: searched so far.
        seconds: that it has run.
        answer: in the game's words; empty: none yet.
        is_confirmed: no bound depends on strangers alone.
        bounds: that were proved, packed; empty: none, or of no more use.
    """

    nodes: int = 0
    seconds: float = 0.0
    answer: str = ""
    is_confirmed: bool = True
    bounds: bytes = b""


def write_search(database: sqlite3.Connection, job: int, search: StoredSearch) -> None:
    """Replace a job's stored state."""
    nodes, seconds, answer, is_confirmed, bounds = search
    row = (job, nodes, float(seconds), answer, int(is_confirmed), bounds)
    database.execute(
        "INSERT OR REPLACE INTO search "
        "(job, nodes, seconds, answer, is_confirmed, bounds, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*row, checksum(*row)),
    )


def is_damaged(select: Select, job: int) -> bool:
    """Whether a job has a stored state that is damaged."""
    return bool(select("SELECT 1 FROM search WHERE job = ?", job)) and not read_search(select, job)


def read_search(select: Select, job: int) -> StoredSearch | None:
    """Return the state of a job; None: nothing is stored of it, or that is damaged."""
    rows = select(
        "SELECT job, nodes, seconds, answer, is_confirmed, bounds, checksum FROM search "
        "WHERE job = ?",
        job,
    )
    for *row, mark in rows:
        if checksum(*row) == mark:
            _, nodes, seconds, answer, is_confirmed, bounds = row
            return StoredSearch(nodes, seconds, answer, bool(is_confirmed), bounds)
    return None
