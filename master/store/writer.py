"""The one writer of trial results: a thread that commits in groups.

Nothing is reported as stored before its commit has returned. Every result added gets a `Ticket`,
counted from 1; `on_stored(ticket)` says that everything up to it is durable. After an error nothing
more is stored until `reset`: results added since then were never reported, so they cannot have been
acknowledged.

Answers are different: their askers have them already, and an answer that is not kept is only asked
again. They are committed after the rest. One that cannot be stored is reported once, and dropped.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from master.store.answers import (
    ANSWERS_MAX,
    DAY_S,
    SWEEP_ANSWERS,
    AnswerRow,
    drop_oldest,
    write_answers,
)
from master.store.errors import DATABASE_ERRORS, StoreError, to_store_error
from master.store.records import StoredSearch, write_search
from master.store.runs import (
    TrialRun,
    TrialValues,
    correct_trial,
    insert_run,
    merged,
    write_snapshot,
)
from master.store.schema import open_database, transaction
from master.store.unconfirmed import (
    AttemptKey,
    SeqSpan,
    Withdrawal,
    cut_trials,
    without,
    write_marks,
    write_withdrawals,
)

Ticket = int
GROUP_TRIALS_MAX = 1000
"""A commit costs 3 to 6 ms; spread over 1,000 trials that is 6 us each."""

GROUP_AGE_S_MAX = 1.0
"""Work that a power cut may cost, to be done again."""


@dataclass
class _Group:
    """The content of one commit."""

    runs: dict[int, list[TrialRun]] = field(default_factory=dict)
    corrections: list[tuple[int, int, TrialValues]] = field(default_factory=list)
    snapshots: dict[int, tuple[int, str]] = field(default_factory=dict)
    answers: list[AnswerRow] = field(default_factory=list)
    used_answers: list[bytes] = field(default_factory=list)
    marks: dict[AttemptKey, SeqSpan | None] = field(default_factory=dict)
    cuts: dict[int, list[SeqSpan]] = field(default_factory=dict)
    withdrawals: list[Withdrawal] = field(default_factory=list)
    searches: dict[int, StoredSearch] = field(default_factory=dict)
    count: int = 0

    @property
    def has_results(self) -> bool:
        """Whether there is anything but answers."""
        others = self.marks or self.cuts or self.withdrawals or self.searches
        return bool(self.runs or self.corrections or self.snapshots or others)

    def cut(self, job: int, spans: Sequence[SeqSpan]) -> None:
        """Take trials out: of the results waiting here, and of those stored before them."""
        runs = self.runs.get(job, [])
        self.runs[job] = [piece for run in runs for piece in without(run, spans)]
        self.corrections = [
            (number, seq, values)
            for number, seq, values in self.corrections
            if number != job or not any(first <= seq < end for first, end in spans)
        ]
        self.snapshots.pop(job, None)
        self.cuts.setdefault(job, []).extend(spans)


class GroupWriter:
    """A thread that stores trials, snapshots, searches and answers in the order they were added.

    The callbacks run in the writer's thread.
    """

    def __init__(
        self,
        path: Path,
        on_stored: Callable[[Ticket], None],
        on_failed: Callable[[StoreError], None],
        on_answers_lost: Callable[[StoreError], None] = lambda error: None,
    ) -> None:
        """Open the database for writing and start the thread.

        Raises:
            StoreError: the database cannot be opened.
        """
        self.path = path
        self.database = open_database(path)
        self._on_stored = on_stored
        self._on_failed = on_failed
        self._on_answers_lost = on_answers_lost
        self._swept_ago = SWEEP_ANSWERS  # answers stored since the bound was kept
        self._lock = threading.Lock()
        self._condition = threading.Condition(self._lock)
        self._group = _Group()
        self._last_ticket: Ticket = 0
        self._is_urgent = False
        self._is_closing = False
        self._has_failed = False
        self._thread = threading.Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    @property
    def last_ticket(self) -> Ticket:
        """The ticket of the last addition; 0 before the first."""
        return self._last_ticket

    def add_run(self, job: int, first_seq: int, values: Sequence[TrialValues]) -> Ticket:
        """Queue consecutive trials of a job; return their ticket."""
        with self._lock:
            self._group.runs.setdefault(job, []).append(TrialRun(first_seq, values))
            return self._issue_ticket(len(values))

    def add_runs(
        self,
        runs: Sequence[tuple[int, TrialRun]],
        marks: dict[AttemptKey, SeqSpan | None] | None = None,
    ) -> Ticket:
        """Queue runs of consecutive trials, each with its job, and marks; return their ticket."""
        with self._lock:
            self._group.marks |= marks or {}
            count = len(marks or {})
            for job, run in runs:
                self._group.runs.setdefault(job, []).append(run)
                count += len(run.values)
            return self._issue_ticket(count)

    def add_withdrawal(self, job: int, spans: Sequence[SeqSpan]) -> Ticket:
        """Queue that trials that are stored, or queued before this, are taken out."""
        with self._lock:
            self._group.cut(job, spans)
            return self._issue_ticket(len(spans))

    def add_caught(self, withdrawal: Withdrawal) -> Ticket:
        """Queue a withdrawal."""
        with self._lock:
            self._group.withdrawals.append(withdrawal)
            return self._issue_ticket(1)

    def add_correction(self, job: int, seq: int, values: TrialValues) -> Ticket:
        """Queue other values for a trial that is stored, or queued before this."""
        with self._lock:
            self._group.corrections.append((job, seq, values))
            self._group.snapshots.pop(job, None)
            return self._issue_ticket(1)

    def add_snapshot(self, job: int, folded: int, snapshot: str) -> Ticket:
        """Queue a job's fold snapshot; it is stored with, or after, the trials queued before it."""
        with self._lock:
            self._group.snapshots[job] = (folded, snapshot)
            return self._issue_ticket(1)

    def add_search(self, job: int, search: StoredSearch) -> Ticket:
        """Queue the state of a search, which replaces the former one; return the ticket."""
        with self._lock:
            self._group.searches[job] = search
            return self._issue_ticket(1)

    def add_answer(self, row: AnswerRow) -> Ticket:
        """Queue an answer; return its ticket."""
        with self._lock:
            self._group.answers.append(row)
            return self._issue_ticket(1)

    def record_used(self, digests: Sequence[bytes]) -> Ticket:
        """Queue that answers were used; return the ticket."""
        with self._lock:
            self._group.used_answers += digests
            return self._issue_ticket(len(digests))

    def _issue_ticket(self, count: int) -> Ticket:
        is_first = not self._group.count
        self._group.count += count
        self._last_ticket += 1
        if is_first or self._group.count >= GROUP_TRIALS_MAX:
            self._condition.notify()
        return self._last_ticket

    def flush(self) -> None:
        """Ask for a commit now instead of when the group is full or old."""
        with self._lock:
            self._is_urgent = True
            self._condition.notify()

    def reset(self) -> None:
        """Drop the results queued since an error, and store later ones."""
        with self._lock:
            self._group = _Group()
            self._has_failed = False

    def close(self) -> None:
        """Store the queued results, stop the thread and close the file."""
        with self._lock:
            self._is_closing = True
            self._condition.notify()
        self._thread.join()
        self.database.close()

    def _run(self) -> None:
        while True:
            with self._lock:
                self._wait_for_group()
                if self._is_closing and (self._has_failed or not self._group.count):
                    return
                group, self._group = self._group, _Group()
                ticket = self._last_ticket
                self._is_urgent = False
            self._store(group, ticket)

    def _wait_for_group(self) -> None:
        """Wait, holding the lock, until a group is due or the writer closes."""
        condition = self._condition
        condition.wait_for(
            lambda: self._is_closing or (self._group.count > 0 and not self._has_failed)
        )
        condition.wait_for(
            lambda: self._is_closing or self._is_urgent or self._group.count >= GROUP_TRIALS_MAX,
            timeout=GROUP_AGE_S_MAX,
        )

    def _store(self, group: _Group, ticket: Ticket) -> None:
        try:
            if group.has_results:
                self._commit(group)
        except DATABASE_ERRORS as error:
            with self._lock:
                self._has_failed = True
            self._on_failed(to_store_error(error, self.path))
            return
        try:
            if group.answers or group.used_answers:
                self._commit_answers(group)
        except DATABASE_ERRORS as error:
            self._on_answers_lost(to_store_error(error, self.path))
        self._on_stored(ticket)

    def _commit_answers(self, group: _Group) -> None:
        day = int(time.time()) // DAY_S
        self._swept_ago += len(group.answers)
        with transaction(self.database) as database:
            write_answers(database, group.answers, group.used_answers, day)
            if self._swept_ago >= SWEEP_ANSWERS:
                drop_oldest(database, ANSWERS_MAX)
                self._swept_ago = 0

    def _commit(self, group: _Group) -> None:
        rows = [(job, run) for job, runs in group.runs.items() for run in merged(runs)]
        with transaction(self.database) as database:
            for job, spans in group.cuts.items():
                cut_trials(database, job, spans)
            write_marks(database, group.marks)
            write_withdrawals(database, group.withdrawals)
            for job, run in rows:
                insert_run(database, job, run)
            for job, seq, values in group.corrections:
                correct_trial(database, job, seq, values)
            for job, (folded, text) in group.snapshots.items():
                write_snapshot(database, job, folded, text)
            for job, search in group.searches.items():
                write_search(database, job, search)
