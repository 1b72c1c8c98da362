"""Rows of trials and of fold snapshots: blobs exact to the bit, with checksums.

The owner of a job drops its damaged rows, and their trials are computed again.
"""

import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from master.store.checksums import checksum

TrialValues = tuple[float, ...]
RUN_TRIALS_MAX = 4096
"""No run grows further: 4,096 trials of 7 values are 230 kB of one row."""


class TrialRun(NamedTuple):
    """Consecutive trials: the values of first_seq, first_seq + 1, ..."""

    first_seq: int
    values: Sequence[TrialValues]


def merged(runs: Iterable[TrialRun]) -> list[TrialRun]:
    """Return the runs in seq order, neighbours joined; of twin trials the first given counts."""
    joined: list[TrialRun] = []
    row: list[TrialValues] = []
    first = 0
    for run in without_twins(sorted(runs, key=_first_seq)):
        if row and (run.first_seq != first + len(row) or len(row) >= RUN_TRIALS_MAX):
            joined.append(TrialRun(first, row))
            row = []
        if not row:
            first = run.first_seq
        row += run.values
    if row:
        joined.append(TrialRun(first, row))
    return joined


def _first_seq(run: TrialRun) -> int:
    return run.first_seq


def to_blob(values: Sequence[TrialValues]) -> bytes:
    """Return the trials' values as bytes."""
    flat = [value for trial in values for value in trial]
    return struct.pack(f"<{len(flat)}d", *flat)


def from_blob(blob: bytes, trial_count: int) -> tuple[TrialValues, ...]:
    """Return the values that were packed.

    Raises:
        ValueError: the blob does not divide into so many trials.
    """
    value_count, rest = divmod(len(blob), 8 * trial_count) if trial_count > 0 else (0, 1)
    if rest or value_count == 0:
        raise ValueError(f"{len(blob)} bytes are not {trial_count} trials")
    flat = struct.unpack(f"<{value_count * trial_count}d", blob)
    return tuple(flat[i : i + value_count] for i in range(0, len(flat), value_count))


def patched(blob: bytes, index: int, values: TrialValues) -> bytes:
    """Return the blob with the values of one of its trials replaced."""
    part = to_blob([values])
    return blob[: index * len(part)] + part + blob[(index + 1) * len(part) :]


def without_twins(runs: Iterable[TrialRun]) -> Iterator[TrialRun]:
    """Yield runs given in seq order, every seq once; of twins the earlier run's counts."""
    next_seq = 0
    for run in runs:
        skipped = max(0, next_seq - run.first_seq)
        if skipped < len(run.values):
            yield TrialRun(run.first_seq + skipped, run.values[skipped:])
        next_seq = max(next_seq, run.first_seq + len(run.values))


READ_RUNS = 256
"""Rows fetched at a time, so that a long job is never whole in memory."""

Select = Callable[..., list[tuple[Any, ...]]]


class DamagedRun(NamedTuple):
    """A row of trials whose checksum is wrong; `first_seq` as it is read, not as it was written."""

    first_seq: int


def insert_run(database: sqlite3.Connection, job: int, run: TrialRun) -> None:
    """Insert a run; where a run with the same first trial is stored, the longer one stays."""
    row = (job, run.first_seq, len(run.values), to_blob(run.values))
    database.execute(
        "INSERT INTO trial_run (job, first_seq, trial_count, trial_values, checksum) "
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT (job, first_seq) DO UPDATE SET "
        "trial_count = excluded.trial_count, trial_values = excluded.trial_values, "
        "checksum = excluded.checksum WHERE excluded.trial_count > trial_count",
        (*row, checksum(*row)),
    )


def correct_trial(database: sqlite3.Connection, job: int, seq: int, values: TrialValues) -> None:
    """Replace a trial's values, and drop the snapshot that may have counted the old ones.

    A row that was damaged meanwhile goes: its trials are computed again by the next resume.
    """
    rows = database.execute(
        "SELECT rowid, first_seq, trial_count, trial_values, checksum FROM trial_run "
        "WHERE job = ? AND first_seq <= ? AND first_seq + trial_count > ?",
        (job, seq, seq),
    ).fetchall()
    for number, first_seq, trial_count, blob, mark in rows:
        if checksum(job, first_seq, trial_count, blob) != mark:
            database.execute("DELETE FROM trial_run WHERE rowid = ?", (number,))
            continue
        other = patched(blob, seq - first_seq, values)
        database.execute(
            "UPDATE trial_run SET trial_values = ?, checksum = ? WHERE rowid = ?",
            (other, checksum(job, first_seq, trial_count, other), number),
        )
    database.execute("DELETE FROM fold_snapshot WHERE job = ?", (job,))


def read_runs(select: Select, job: int, from_seq: int = 0) -> Iterator[TrialRun | DamagedRun]:
    """Yield a job's rows in the order of their first trials; `select` runs a statement.

    Rows that end before `from_seq` are not read.

    Raises:
        sqlite3.DatabaseError: the rows come in no order: the file is damaged.
    """
    after = -1
    while True:
        rows = select(
            "SELECT first_seq, trial_count, trial_values, checksum FROM trial_run "
            "WHERE job = ? AND first_seq > ? AND first_seq + trial_count > ? "
            "ORDER BY first_seq LIMIT ?",
            job,
            after,
            from_seq,
            READ_RUNS,
        )
        for first_seq, trial_count, blob, mark in rows:
            if not isinstance(first_seq, int) or first_seq <= after:
                raise sqlite3.DatabaseError(f"the trials of job {job} are in disorder")
            after = first_seq
            if checksum(job, first_seq, trial_count, blob) != mark:
                yield DamagedRun(first_seq)
            else:
                yield TrialRun(first_seq, from_blob(blob, trial_count))
        if len(rows) < READ_RUNS:
            return


def stored_prefix(select: Select, job: int, value_count: int) -> int:
    """Return how many of a job's trials are stored before the first gap.

    It reads the rows' sizes only, not their values.
    """
    end = 0
    for first_seq, trial_count in select(
        "SELECT first_seq, trial_count FROM trial_run WHERE job = ? "
        "AND length(trial_values) = 8 * trial_count * ? ORDER BY first_seq",
        job,
        value_count,
    ):
        if first_seq > end:
            break
        end = max(end, first_seq + trial_count)
    return end


def drop_runs(database: sqlite3.Connection, job: int, runs: Sequence[DamagedRun]) -> None:
    """Delete rows of a job's trials."""
    database.executemany(
        "DELETE FROM trial_run WHERE job = ? AND first_seq = ?",
        [(job, run.first_seq) for run in runs],
    )


def write_snapshot(database: sqlite3.Connection, job: int, folded: int, snapshot: str) -> None:
    """Keep a job's fold snapshot in place of its last one."""
    row = (job, folded, snapshot)
    database.execute(
        "INSERT OR REPLACE INTO fold_snapshot (job, folded, snapshot, checksum) "
        "VALUES (?, ?, ?, ?)",
        (*row, checksum(*row)),
    )


def read_snapshot(select: Select, job: int) -> tuple[int, str] | None:
    """Return a job's snapshot: the folded prefix's length and the text; None for a damaged one."""
    rows = select("SELECT job, folded, snapshot, checksum FROM fold_snapshot WHERE job = ?", job)
    for *row, mark in rows:
        if checksum(*row) == mark:
            return row[1], row[2]
    return None
