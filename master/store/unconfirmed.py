"""Stored trials that may not count: marked attempts, trials taken out, and withdrawals.

A mark says that the trials of a range may come from an attempt that has not ended rightly. It is
written with the first of them, in one transaction, and goes when the attempt has ended. So when a
master dies, exactly its unconfirmed trials are marked.
"""

import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from master.store.checksums import checksum
from master.store.runs import TrialRun, from_blob, insert_run

SeqSpan = tuple[int, int]  # trials first .. end - 1
Select = Callable[..., list[tuple[Any, ...]]]


class AttemptKey(NamedTuple):
    """One attempt at a part of a job."""

    job: int
    part: int
    attempt: int


class Withdrawal(NamedTuple):
    """An analyser that is trusted no more in a job, with the number of trials taken out."""

    job: int
    analyser: str
    trial_count: int
    text: str


def write_marks(database: sqlite3.Connection, marks: dict[AttemptKey, SeqSpan | None]) -> None:
    """Mark the spans of attempts; unmark those that have none any more."""
    database.executemany(
        "INSERT OR REPLACE INTO unconfirmed (job, part, attempt, first_seq, end_seq) "
        "VALUES (?, ?, ?, ?, ?)",
        [(*attempt, *span) for attempt, span in marks.items() if span is not None],
    )
    database.executemany(
        "DELETE FROM unconfirmed WHERE job = ? AND part = ? AND attempt = ?",
        [attempt for attempt, span in marks.items() if span is None],
    )


def drop_unconfirmed(database: sqlite3.Connection, job: int) -> int:
    """Take a job's marked trials out, and the marks; return how many attempts were marked."""
    spans = database.execute(
        "SELECT first_seq, end_seq FROM unconfirmed WHERE job = ? ORDER BY first_seq", (job,)
    ).fetchall()
    if spans:
        cut_trials(database, job, spans)
        database.execute("DELETE FROM unconfirmed WHERE job = ?", (job,))
    return len(spans)


def cut_trials(database: sqlite3.Connection, job: int, spans: Iterable[SeqSpan]) -> None:
    """Take trials out of the rows of a job, and drop the snapshot that may have counted them.

    A row that was damaged meanwhile goes: its trials are computed again by the next resume.
    """
    for first, end in spans:
        rows = database.execute(
            "SELECT rowid, first_seq, trial_count, trial_values, checksum FROM trial_run "
            "WHERE job = ? AND first_seq < ? AND first_seq + trial_count > ?",
            (job, end, first),
        ).fetchall()
        for number, first_seq, trial_count, blob, mark in rows:
            database.execute("DELETE FROM trial_run WHERE rowid = ?", (number,))
            if checksum(job, first_seq, trial_count, blob) == mark:
                run = TrialRun(first_seq, from_blob(blob, trial_count))
                for piece in without(run, [(first, end)]):
                    insert_run(database, job, piece)
    database.execute("DELETE FROM fold_snapshot WHERE job = ?", (job,))


def without(run: TrialRun, spans: Iterable[SeqSpan]) -> list[TrialRun]:
    """Return the rest of a run when trials are taken out."""
    pieces = [run]
    for first, end in spans:
        pieces = [
            TrialRun(begin, some)
            for piece in pieces
            for begin, some in (
                (piece.first_seq, piece.values[: max(0, first - piece.first_seq)]),
                (max(piece.first_seq, end), piece.values[max(0, end - piece.first_seq) :]),
            )
            if some
        ]
    return pieces


def write_withdrawals(database: sqlite3.Connection, withdrawals: Iterable[Withdrawal]) -> None:
    """Keep withdrawals."""
    database.executemany(
        "INSERT INTO withdrawal (job, analyser, trial_count, text, checksum) "
        "VALUES (?, ?, ?, ?, ?)",
        [(*withdrawal, checksum(*withdrawal)) for withdrawal in withdrawals],
    )


def read_withdrawals(select: Select, job: int) -> tuple[Withdrawal, ...]:
    """Return the withdrawals of a job, in their order; damaged rows are left out."""
    rows = select(
        "SELECT job, analyser, trial_count, text, checksum FROM withdrawal WHERE job = ? "
        "ORDER BY rowid",
        job,
    )
    return tuple(Withdrawal(*row) for *row, mark in rows if checksum(*row) == mark)
