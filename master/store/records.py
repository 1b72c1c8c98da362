"""A job as the store keeps it, and the state of a job that is a search.

A row has two checksums: one of the request, which nothing can recompute, and one of the state,
which follows from its stored trials as well.
"""

import enum
import json
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from master.contract.goals import NO_GOAL, Goal
from master.contract.job_words import JobState, Priority
from master.store.checksums import checksum
from master.store.unconfirmed import Withdrawal

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


NO_DIGEST = "0" * 16
"""Of a context or an engine that cannot be read."""


class RunsIn(enum.Enum):
    """The kind of process that ran a job last; a daemon goes on with its jobs after a restart."""

    COMMAND = "command"
    DAEMON = "daemon"


@dataclass(frozen=True)
class NewJob:
    """A job's content when it is submitted.

    `label` is the submitter's own text, kept and given back unread.
    """

    context: str
    digest: str
    game: str
    engine: str
    alternative_names: tuple[str, ...]
    value_names: tuple[str, ...]
    goal: Goal = NO_GOAL
    label: str = ""


@dataclass(frozen=True)
class JobEnd:
    """The end of a job's run.

    `stopped_by` is a word (see contract.views.JobView), `error` a line for people or empty,
    `folded` the length of the folded prefix.
    """

    stopped_by: str = ""
    error: str = ""
    folded: int = 0


@dataclass(frozen=True)
class JobRecord:
    """A job in the store.

    `end` was written when it last stood still; `runs_in` means nothing before the first start;
    `created` is UTC in ISO 8601; `withdrawals` is empty in a list of jobs; `priority` says whose
    trials go first while it runs.
    """

    job: int
    request: NewJob
    state: JobState
    end: JobEnd
    runs_in: RunsIn
    created: str
    withdrawals: tuple[Withdrawal, ...] = ()
    priority: Priority = Priority.NORMAL


INTERRUPTED = "interrupted"
"""`stopped_by` of a job whose process was killed."""

REQUEST_COLUMNS = (
    "context, digest, game, engine, alternative_names, value_names, trials, stop_se, label, "
    "created, stop_settled"
)
STATUS_COLUMNS = "state, stopped_by, error, folded, runs_in"
COLUMNS = f"job, {REQUEST_COLUMNS}, request_checksum, {STATUS_COLUMNS}, standing_checksum, priority"
_REQUEST_COUNT = 11
_PRIORITIES: dict[object, Priority] = {each.name.lower(): each for each in Priority}


def to_request_row(job: int, request: NewJob, created: str) -> tuple[Any, ...]:
    """Return the values of `REQUEST_COLUMNS` and their checksum."""
    goal = request.goal
    row = (
        request.context,
        request.digest,
        request.game,
        request.engine,
        json.dumps(request.alternative_names),
        json.dumps(request.value_names),
        goal.trials,
        None if goal.stop_se is None else float(goal.stop_se),
        request.label,
        created,
        None if goal.stop_settled is None else float(goal.stop_settled),
    )
    return (*row, _request_checksum(job, row))


def _request_checksum(job: int, row: tuple[Any, ...]) -> bytes:
    """Return the checksum of `REQUEST_COLUMNS`; the last is newer, and counts where it is given."""
    return checksum(job, *(row if row[-1] is not None else row[:-1]))


def to_status_row(job: int, state: JobState, end: JobEnd, runs_in: RunsIn) -> tuple[Any, ...]:
    """Return the values of `STATUS_COLUMNS` and their checksum."""
    row = (state.value, end.stopped_by, end.error, end.folded, runs_in.value)
    return (*row, checksum(job, *row))


def from_row(row: tuple[Any, ...]) -> JobRecord:
    """Return the record of a row of `COLUMNS`.

    If the state of a job is damaged, the job counts as interrupted: a resume gives the right end in
    every case. A job whose request is damaged is `DAMAGED`.
    """
    row, place = row[:-1], _to_priority(row[-1])
    job, request, mark = row[0], row[1 : _REQUEST_COUNT + 1], row[_REQUEST_COUNT + 1]
    status, status_mark = row[_REQUEST_COUNT + 2 : -1], row[-1]
    if _request_checksum(job, request) != mark:
        return _damaged_record(job)
    context, digest, game, engine, alternatives, values, trials, stop_se, *others = request
    label, created, stop_settled = others
    names = tuple(json.loads(alternatives)), tuple(json.loads(values))
    goal = Goal(trials, stop_se, stop_settled)
    new_job = NewJob(context, digest, game, engine, *names, goal, label)
    if checksum(job, *status) != status_mark:
        end = JobEnd(INTERRUPTED)
        return JobRecord(job, new_job, JobState.HALTED, end, RunsIn.COMMAND, created, (), place)
    state, stopped_by, error, folded, runs_in = status
    ended = JobEnd(stopped_by, error, folded)
    return JobRecord(job, new_job, JobState(state), ended, RunsIn(runs_in), created, (), place)


def _to_priority(word: object) -> Priority:
    """Return the priority of a word; NORMAL if there is none, and for the old word `standing`."""
    return _PRIORITIES.get(word, Priority.NORMAL)


def damage_text(job: int) -> str:
    """Return the text about a `DAMAGED` job."""
    return f"the record of job {job} is damaged; `manyply forget {job}` deletes it"


def _damaged_record(job: int) -> JobRecord:
    """Return a record that shows only that it is damaged."""
    nothing = NewJob("-", NO_DIGEST, "unknown", NO_DIGEST, (), ())
    end = JobEnd("failed", damage_text(job))
    return JobRecord(job, nothing, JobState.DAMAGED, end, RunsIn.COMMAND, "")
