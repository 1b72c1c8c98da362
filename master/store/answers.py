"""Answers to questions, kept so that nothing is asked twice: a cache, durable and bounded.

A question names the engine, so an answer never becomes wrong. When there are too many answers,
those not used for longest go.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from master.store.checksums import checksum

ANSWERS_MAX = 250_000
"""A thousand matches of 250 decisions, each once: some years of a user who studies his own play;
600 MB at 2.5 kB an answer."""

SWEEP_ANSWERS = 500
"""The bound is kept to within so many: counting the rows takes about 1 ms."""

SELECT_MAX = 500
"""Digests of one statement; SQLite takes 32,766 values."""

DAY_S = 86_400
"""Use is noted by the day: an answer read often is not written often."""


class AnswerRow(NamedTuple):
    """One answer.

    Args:
        digest: of its question, 32 bytes.
        engine: digest of the engine that gave the answer.
        text: the answer.
        source: name of the analyser that gave it; empty: not known.
    """

    digest: bytes
    engine: str
    text: str
    source: str = ""


def read_answers(
    database: sqlite3.Connection, digests: Sequence[bytes], day: int
) -> tuple[dict[bytes, str], list[bytes]]:
    """Return the answers that are kept, and which of them were not used yet on this day."""
    texts: dict[bytes, str] = {}
    stale: list[bytes] = []
    for first in range(0, len(digests), SELECT_MAX):
        some = digests[first : first + SELECT_MAX]
        marks = ", ".join("?" * len(some))
        query = f"SELECT digest, engine, text, used, checksum FROM answer WHERE digest IN ({marks})"
        for digest, engine, text, used, mark in database.execute(query, some):
            if checksum(digest, engine, text) != mark:
                continue  # damaged: it is asked again, and the new answer takes its place
            texts[digest] = text
            if not isinstance(used, int) or used < day:
                stale.append(digest)
    return texts, stale


def write_answers(
    database: sqlite3.Connection, rows: Iterable[AnswerRow], used: Iterable[bytes], day: int
) -> None:
    """Keep answers, in place of older ones to the same questions, and note which were used."""
    database.executemany(
        "INSERT OR REPLACE INTO answer (digest, engine, text, source, used, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [(*row, day, checksum(row.digest, row.engine, row.text)) for row in rows],
    )
    database.executemany(
        "UPDATE answer SET used = ? WHERE digest = ?", [(day, digest) for digest in used]
    )


def drop_answers(database: sqlite3.Connection, digests: Iterable[bytes]) -> None:
    """Delete the answers to some questions."""
    database.executemany("DELETE FROM answer WHERE digest = ?", [(digest,) for digest in digests])


def sources(database: sqlite3.Connection, digests: Sequence[bytes]) -> list[str]:
    """Return the names of the analysers that gave answers, each once."""
    found: set[str] = set()
    for first in range(0, len(digests), SELECT_MAX):
        some = digests[first : first + SELECT_MAX]
        marks = ", ".join("?" * len(some))
        query = f"SELECT DISTINCT source FROM answer WHERE digest IN ({marks})"
        found.update(source for (source,) in database.execute(query, some))
    return sorted(found)


def forget_answers(database: sqlite3.Connection, of: str | None, engine: str | None) -> int:
    """Delete answers; return how many.

    Args:
        of: those of the analysers of this name; a second one of a name has a number sign and a
            number behind it, and is meant too.  None: of all.
        engine: those that name the engine of this digest; None: of all engines.
    """
    rules, values = ["1"], list[str]()
    if engine is not None:
        rules.append("engine = ?")
        values.append(engine)
    if of is not None:
        found = database.execute("SELECT DISTINCT source FROM answer")
        names = [name for (name,) in found if is_name_of(name, of)]
        rules.append(f"source IN ({', '.join('?' * len(names))})")
        values += names
    return database.execute(f"DELETE FROM answer WHERE {' AND '.join(rules)}", values).rowcount


def is_name_of(name: str, announced: str) -> bool:
    """Say whether a session's name is that of an analyser which announced itself by another."""
    first, sign, number = name.rpartition("#")
    return name == announced or (bool(sign) and number.isdecimal() and first == announced)


def drop_oldest(database: sqlite3.Connection, keep: int) -> None:
    """Keep so many answers: those used last."""
    (count,) = database.execute("SELECT COUNT(*) FROM answer").fetchone()
    if count > keep:
        database.execute(
            "DELETE FROM answer WHERE rowid IN "
            "(SELECT rowid FROM answer ORDER BY used, rowid LIMIT ?)",
            (count - keep,),
        )
