"""A job as the store keeps it.

Knows the job's columns. Must not know trials, folds or SQL connections.
"""

import enum
import json
from dataclasses import dataclass
from typing import Any


class JobState(enum.Enum):
    """Where a job stands."""

    RUNNING = "running"  # a process is at it; found without one, it was killed: see `HALTED`
    HALTED = "halted"  # stopped before its end; `resume` goes on
    DONE = "done"  # its stop rule is met; `extend` goes on


class RunsIn(enum.Enum):
    """What sort of process ran a job last: a daemon goes on with its own when it starts again."""

    COMMAND = "command"
    DAEMON = "daemon"


@dataclass(frozen=True)
class NewJob:
    """What is known of a job when it is submitted.

    `trials` counts games of each alternative; None is "until another stop rule ends it".
    `label` is the submitter's own text, kept and given back unread.
    """

    context: str
    digest: str
    game: str
    engine: str
    alternative_names: tuple[str, ...]
    value_names: tuple[str, ...]
    trials: int | None
    stop_se: float | None
    label: str = ""


@dataclass(frozen=True)
class JobEnd:
    """How a job came to stand still.

    `stopped_by` is a word (see master.views.JobView), `error` a line for people or empty, `folded`
    the length of the folded prefix.
    """

    stopped_by: str = ""
    error: str = ""
    folded: int = 0


@dataclass(frozen=True)
class JobRecord:
    """A job in the store.

    `end` was written when it last stood still; `runs_in` means nothing before the first start;
    `created` is UTC in ISO 8601.
    """

    job: int
    request: NewJob
    state: JobState
    end: JobEnd
    runs_in: RunsIn
    created: str


COLUMNS = (
    "job, context, digest, game, engine, alternative_names, value_names, trials, stop_se, label, "
    "state, stopped_by, error, folded, runs_in, created"
)


def to_row(request: NewJob) -> tuple[Any, ...]:
    """Return the values of the columns from context to label."""
    return (
        request.context,
        request.digest,
        request.game,
        request.engine,
        json.dumps(request.alternative_names),
        json.dumps(request.value_names),
        request.trials,
        request.stop_se,
        request.label,
    )


def from_row(row: tuple[Any, ...]) -> JobRecord:
    """Return the record of a row of `COLUMNS`."""
    job, context, digest, game, engine, alternatives, names, trials, stop_se, label = row[:10]
    state, stopped_by, error, folded, runs_in, created = row[10:]
    request = NewJob(
        context,
        digest,
        game,
        engine,
        tuple(json.loads(alternatives)),
        tuple(json.loads(names)),
        trials,
        stop_se,
        label,
    )
    return JobRecord(
        job, request, JobState(state), JobEnd(stopped_by, error, folded), RunsIn(runs_in), created
    )
