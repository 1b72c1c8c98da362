"""What is stored of a job that is a search: how far it has come, and what it has proved.

Knows the table `search`. Must not know what bounds mean, or how they are packed.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple

from master.store.checksums import checksum

Select = Callable[..., list[tuple[Any, ...]]]


class StoredSearch(NamedTuple):
    """Where a search stands; the beginning is nothing of anything.

    Args:
        nodes: searched so far.
        seconds: that it has run.
        answer: in the game's words; empty: none yet.
        is_confirmed: no bound rests on the word of strangers alone.
        bounds: that were proved, packed; empty: none, or of no more use.
    """

    nodes: int = 0
    seconds: float = 0.0
    answer: str = ""
    is_confirmed: bool = True
    bounds: bytes = b""


def write_search(database: sqlite3.Connection, job: int, search: StoredSearch) -> None:
    """Keep where a job stands in place of where it stood."""
    nodes, seconds, answer, is_confirmed, bounds = search
    row = (job, nodes, float(seconds), answer, int(is_confirmed), bounds)
    database.execute(
        "INSERT OR REPLACE INTO search "
        "(job, nodes, seconds, answer, is_confirmed, bounds, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*row, checksum(*row)),
    )


def is_damaged(select: Select, job: int) -> bool:
    """Whether something is stored of a job, and is not what was written."""
    return bool(select("SELECT 1 FROM search WHERE job = ?", job)) and not read_search(select, job)


def read_search(select: Select, job: int) -> StoredSearch | None:
    """Return where a job stands; None: nothing is stored of it, or that is damaged."""
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
