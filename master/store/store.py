"""Jobs and their stored results: everything but the stream of new trials (see writer.py).

Knows the tables. Must not know the event loop: every method here blocks, for milliseconds, and
may be called from any thread.
"""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from master.config.paths import database_path
from master.store.answers import DAY_S, read_answers
from master.store.errors import StoreError, UnknownJobError, to_store_error
from master.store.lock import JobLock, is_locked
from master.store.records import (
    COLUMNS,
    JobEnd,
    JobRecord,
    JobState,
    NewJob,
    RunsIn,
    from_row,
    to_row,
)
from master.store.schema import open_database
from master.store.trials import TrialRun, from_blob, without_twins

INTERRUPTED = "interrupted"  # what stopped a job whose process was killed
_READ_RUNS = 256  # rows fetched at a time, so that a long job is never whole in memory


class Store:
    """The jobs of one state directory.

    Several processes may have the same directory open; a job belongs to the process that holds
    its lock (`claim`), and only that process may write its results.
    """

    def __init__(self, state_dir: Path) -> None:
        """Open the store, creating it if it is not there.

        Raises:
            StoreError: it cannot be opened, or a newer manyply wrote it.
        """
        self.state_dir = state_dir
        self.path = database_path(state_dir)
        self._database = open_database(self.path)
        self._mutex = threading.Lock()

    def close(self) -> None:
        """Close the database file."""
        with self._mutex:
            self._database.close()

    @contextmanager
    def _cursor(self) -> Iterator[sqlite3.Connection]:
        with self._mutex:
            try:
                yield self._database
            except sqlite3.Error as error:
                raise to_store_error(error, self.path) from None

    def answers(self, digests: Sequence[bytes]) -> tuple[dict[bytes, str], list[bytes]]:
        """Return the answers kept to questions, by digest, and whose use is to be noted."""
        with self._cursor() as database:
            return read_answers(database, digests, int(time.time()) // DAY_S)

    def claim(self, job: int) -> JobLock:
        """Take the right to run a job.

        Raises:
            JobBusyError: another process has it.
        """
        return JobLock(self.state_dir, job)

    def create_job(self, request: NewJob) -> int:
        """Store a new, halted job; return its number."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        row = (*to_row(request), JobState.HALTED.value, "", "", 0, RunsIn.COMMAND.value, created)
        names = COLUMNS.removeprefix("job, ")
        marks = ", ".join("?" * len(row))
        with self._cursor() as database:
            cursor = database.execute(f"INSERT INTO job ({names}) VALUES ({marks})", row)
            job = cursor.lastrowid
        assert job is not None
        return job

    def job(self, job: int) -> JobRecord:
        """Return one job.

        Raises:
            UnknownJobError: there is no such job.
        """
        rows = self._select(f"SELECT {COLUMNS} FROM job WHERE job = ?", job)
        if not rows:
            raise UnknownJobError(job)
        return self._seen(from_row(rows[0]))

    def jobs(self) -> list[JobRecord]:
        """Return every job, oldest first."""
        rows = self._select(f"SELECT {COLUMNS} FROM job ORDER BY job")
        return [self._seen(from_row(row)) for row in rows]

    def _seen(self, record: JobRecord) -> JobRecord:
        """Return a job as it is: a running one whose process is gone was halted by its death."""
        if record.state is JobState.RUNNING and not is_locked(self.state_dir, record.job):
            return replace(
                record, state=JobState.HALTED, end=replace(record.end, stopped_by=INTERRUPTED)
            )
        return record

    def _select(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._cursor() as database:
            return database.execute(statement, values).fetchall()

    def set_ended(self, job: int, state: JobState, end: JobEnd) -> None:
        """Write that a job runs no more, and why; the caller owns the job."""
        with self._cursor() as database:
            database.execute(
                "UPDATE job SET state = ?, stopped_by = ?, error = ?, folded = ? WHERE job = ?",
                (state.value, end.stopped_by, end.error, end.folded, job),
            )

    def set_running(self, job: int, runs_in: RunsIn) -> None:
        """Write that a job starts, and where; the caller owns the job."""
        with self._cursor() as database:
            database.execute(
                "UPDATE job SET state = ?, stopped_by = '', error = '', runs_in = ? WHERE job = ?",
                (JobState.RUNNING.value, runs_in.value, job),
            )

    def set_goal(self, job: int, trials: int | None, stop_se: float | None) -> None:
        """Write a job's new stop rules; the caller owns the job."""
        with self._cursor() as database:
            database.execute(
                "UPDATE job SET trials = ?, stop_se = ? WHERE job = ?", (trials, stop_se, job)
            )

    def snapshot(self, job: int) -> tuple[int, str] | None:
        """Return a job's last fold snapshot: the folded prefix's length, and the text."""
        rows = self._select("SELECT folded, snapshot FROM fold_snapshot WHERE job = ?", job)
        return (int(rows[0][0]), str(rows[0][1])) if rows else None

    def trial_runs(self, job: int, from_seq: int = 0) -> Iterator[TrialRun]:
        """Yield a job's stored trials from `from_seq` on, in seq order, every seq once.

        The values are the bits that were stored, and of twins always the same one.
        """
        for run in without_twins(self._stored_runs(job)):
            skipped = max(0, from_seq - run.first_seq)
            if skipped < len(run.values):
                yield TrialRun(run.first_seq + skipped, run.values[skipped:])

    def _stored_runs(self, job: int) -> Iterator[TrialRun]:
        after = -1
        while True:
            rows = self._select(
                "SELECT first_seq, trial_count, trial_values FROM trial_run "
                "WHERE job = ? AND first_seq > ? ORDER BY first_seq LIMIT ?",
                job,
                after,
                _READ_RUNS,
            )
            for first_seq, trial_count, blob in rows:
                try:
                    yield TrialRun(first_seq, from_blob(blob, trial_count))
                except ValueError as error:
                    raise StoreError(
                        f"{self.path}: job {job}, trial {first_seq}: {error}"
                    ) from None
            if len(rows) < _READ_RUNS:
                return
            after = rows[-1][0]
