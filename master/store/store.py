"""Jobs and their stored results: everything but the stream of new trials (see writer.py).

Every method here blocks, for milliseconds, and may be called from any thread.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from master.contract.goals import Goal
from master.contract.job_words import JOB_MAX, JobState, Priority
from master.store.answer_store import AnswerStore, delete_job, reclaim_space
from master.store.errors import DATABASE_ERRORS, DamagedError, UnknownJobError, to_store_error
from master.store.lock import JobLock, is_locked
from master.store.records import (
    COLUMNS,
    INTERRUPTED,
    REQUEST_COLUMNS,
    STATUS_COLUMNS,
    JobEnd,
    JobRecord,
    NewJob,
    RunsIn,
    StoredSearch,
    damage_text,
    from_row,
    is_damaged,
    read_search,
    to_request_row,
    to_status_row,
)
from master.store.runs import (
    DamagedRun,
    TrialRun,
    drop_runs,
    read_runs,
    read_snapshot,
    stored_prefix,
    without_twins,
)
from master.store.schema import transaction
from master.store.unconfirmed import cut_trials, drop_unconfirmed, read_withdrawals


class Store(AnswerStore):
    """The jobs and the answers of one state directory.

    Several processes may have the same directory open; a job belongs to the process that holds
    its lock (`claim`), and only that process may write its results.
    """

    def claim(self, job: int) -> JobLock:
        """Take the right to run a job.

        Raises:
            JobBusyError: another process has it.
        """
        return JobLock(self.state_dir, job)

    def create_job(self, request: NewJob) -> int:
        """Store a new, halted job; return its number."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        names = f"{REQUEST_COLUMNS}, request_checksum, {STATUS_COLUMNS}, standing_checksum"
        with self._cursor() as database, transaction(database):
            job = self._next_job(database)
            status = to_status_row(job, JobState.HALTED, JobEnd(), RunsIn.COMMAND)
            row = (job, *to_request_row(job, request, created), *status)
            marks = ", ".join("?" * len(row))
            database.execute(f"INSERT INTO job (job, {names}) VALUES ({marks})", row)
        return job

    def _next_job(self, database: sqlite3.Connection) -> int:
        """Return the number after the largest one ever given."""
        ((given,),) = database.execute(
            "SELECT max(coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = 'job'), 0), "
            "coalesce((SELECT max(job) FROM job), 0))"
        ).fetchall()
        if not isinstance(given, int) or not 0 <= given < JOB_MAX:
            raise DamagedError(self.path, "the numbers of its jobs are damaged")
        return given + 1

    def job(self, job: int) -> JobRecord:
        """Return one job.

        Raises:
            UnknownJobError: there is no such job.
            DamagedError: it cannot be read any more.
        """
        if not 0 < job <= JOB_MAX:
            raise UnknownJobError(job)
        rows = self._select(f"SELECT {COLUMNS} FROM job WHERE job = ?", job)
        if not rows:
            raise UnknownJobError(job)
        record = self._seen(from_row(rows[0]))
        record = replace(record, withdrawals=read_withdrawals(self._select, job))
        if record.state is JobState.DAMAGED:
            raise DamagedError(self.path, damage_text(job))
        return record

    def jobs(self) -> list[JobRecord]:
        """Return every job, oldest first, damaged ones too.

        Raises:
            DamagedError: there are jobs whose numbers cannot be.
        """
        rows = self._select(f"SELECT {COLUMNS} FROM job ORDER BY job")
        if not all(0 < row[0] <= JOB_MAX for row in rows):
            raise DamagedError(self.path, "the numbers of its jobs are damaged")
        return [self._seen(from_row(row)) for row in rows]

    def job_counts(self) -> dict[str, int]:
        """Return how many jobs have each word for a state; nothing is checked."""
        rows = self._select("SELECT state, count(*) FROM job GROUP BY state")
        return {str(state): count for state, count in rows}

    def drop_unconfirmed(self, job: int) -> int:
        """Take out unconfirmed trials; return the number of attempts. The caller owns the job.

        These trials are not folded again: they are computed anew.
        """
        with self._cursor() as database, transaction(database):
            return drop_unconfirmed(database, job)

    def cut_trials(self, job: int, spans: Sequence[tuple[int, int]]) -> None:
        """Take trials out, first .. end - 1 of each span; the caller owns the job."""
        with self._cursor() as database, transaction(database):
            cut_trials(database, job, spans)

    def _seen(self, record: JobRecord) -> JobRecord:
        """Return a job's real state: if its process is gone, the death of that halted it."""
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
        self._set_status(job, state, end, self.job(job).runs_in)

    def set_running(self, job: int, runs_in: RunsIn) -> None:
        """Write that a job starts, and where; the caller owns the job."""
        end = JobEnd(folded=self.job(job).end.folded)
        self._set_status(job, JobState.RUNNING, end, runs_in)

    def _set_status(self, job: int, state: JobState, end: JobEnd, runs_in: RunsIn) -> None:
        self._update(
            job, f"{STATUS_COLUMNS}, standing_checksum", to_status_row(job, state, end, runs_in)
        )

    def set_goal(self, job: int, goal: Goal) -> None:
        """Write a job's new stop rules; the caller owns the job."""
        record = self.job(job)
        row = to_request_row(job, replace(record.request, goal=goal), record.created)
        self._update(job, f"{REQUEST_COLUMNS}, request_checksum", row)

    def set_priority(self, job: int, priority: Priority) -> None:
        """Write the priority of a job's work; the caller owns the job."""
        self._update(job, "priority", (priority.name.lower(),))

    def _update(self, job: int, names: str, row: tuple[Any, ...]) -> None:
        marks = ", ".join("?" * len(row))
        with self._cursor() as database:
            database.execute(f"UPDATE job SET ({names}) = ({marks}) WHERE job = ?", (*row, job))

    def snapshot(self, job: int) -> tuple[int, str] | None:
        """Return a job's last fold snapshot: the folded prefix's length, and the text.

        A damaged one is none: the trials suffice.
        """
        return read_snapshot(self._select, job)

    def search(self, job: int) -> StoredSearch:
        """Return the state of a job that is a search; that of its beginning if it is damaged."""
        return read_search(self._select, job) or StoredSearch()

    def is_search_damaged(self, job: int) -> bool:
        """Whether the stored state of a search is damaged."""
        return is_damaged(self._select, job)

    def trial_runs(
        self, job: int, from_seq: int = 0, on_damaged: Callable[[DamagedRun], None] | None = None
    ) -> Iterator[TrialRun]:
        """Yield a job's stored trials from `from_seq` on, in seq order, every seq once.

        The values are the bits that were stored, and of twins always the same one.

        Args:
            job: the job.
            from_seq: the first trial wanted.
            on_damaged: called for each damaged row, which is left out.

        Raises:
            DamagedError: such a row was met, and `on_damaged` is not given.
        """
        yield from _behind(from_seq, self._intact_runs(job, on_damaged))

    def later_runs(
        self, job: int, from_seq: int, on_damaged: Callable[[DamagedRun], None]
    ) -> Iterator[TrialRun]:
        """Yield the same as `trial_runs`, but leave earlier rows unread; for reading on."""
        yield from _behind(from_seq, self._intact_runs(job, on_damaged, from_seq))

    def _intact_runs(
        self, job: int, on_damaged: Callable[[DamagedRun], None] | None, from_seq: int = 0
    ) -> Iterator[TrialRun]:
        try:
            for run in read_runs(self._select, job, from_seq):
                if isinstance(run, TrialRun):
                    yield run
                elif on_damaged is not None:
                    on_damaged(run)
                else:
                    raise DamagedError(
                        self.path,
                        f"trials of job {job} are damaged from {run.first_seq} on; "
                        f"`manyply resume {job}` computes them again",
                    )
        except DATABASE_ERRORS as error:
            raise to_store_error(error, self.path) from None

    def drop_damaged(self, job: int, runs: Sequence[DamagedRun]) -> None:
        """Delete damaged rows of trials, and the job's snapshot; the caller owns the job."""
        with self._cursor() as database, transaction(database):
            drop_runs(database, job, runs)
            database.execute("DELETE FROM fold_snapshot WHERE job = ?", (job,))

    def forget(self, job: int) -> None:
        """Delete a job with all that is stored of it; its number is never given again.

        Raises:
            UnknownJobError: there is no such job.
            JobBusyError: a process is running it.
        """
        if not self._select("SELECT 1 FROM job WHERE job = ?", job):
            raise UnknownJobError(job)
        with self.claim(job) as lock:
            with self._cursor() as database:
                delete_job(database, job)
            lock.remove()
        with self._cursor() as database:
            reclaim_space(database)

    def stored_prefix(self, record: JobRecord) -> int:
        """Return how many trials of a job are stored before the first gap."""
        return stored_prefix(self._select, record.job, len(record.request.value_names))


def _behind(from_seq: int, runs: Iterator[TrialRun]) -> Iterator[TrialRun]:
    """Yield the trials from `from_seq` on of runs in the order of their seqs, every seq once."""
    for run in without_twins(runs):
        skipped = max(0, from_seq - run.first_seq)
        if skipped < len(run.values):
            yield TrialRun(run.first_seq + skipped, run.values[skipped:])
