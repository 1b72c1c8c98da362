"""The messages of a master's interface that are no views of it: requests, and their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from master.contract.job_words import JobNumber, Priority, PriorityWord
from master.contract.questions import QUESTIONS_MAX
from master.contract.shapes import Asked, Count, Shown
from master.contract.views import TRIALS_MAX, AnalyserLine, Figures, JobView

API_VERSION = "2.0"
"""The first number changes when something that was answered is answered no more."""

INTERVAL_S_MIN, INTERVAL_S_MAX = 0.05, 3_600.0
"""More often than this, updates would only cost the master time."""


@dataclass(frozen=True, slots=True)
class Problem(Shown):
    """Why a request is refused.

    Args:
        code: a word for programs.
        text: one line for people.
        index: of the question that cannot be answered.
    """

    code: str
    text: str
    index: Count | None = None


@dataclass(frozen=True, slots=True)
class Done(Shown):
    """A request about a job was carried out."""

    job: JobNumber


@dataclass(frozen=True, slots=True)
class About(Shown):
    """A master.

    Args:
        name: its name.
        api: the version of this interface.
        pid: its process.
        state_dir: where it keeps its jobs and fleets; None: only its owner is told.
        listens: HOST:PORT where analysers dial in; None: nowhere.
        page: URL of its page; None: it serves none.
    """

    name: str
    api: str
    pid: Count
    state_dir: str | None = None
    listens: str | None = None
    page: str | None = None


@dataclass(frozen=True, slots=True)
class MasterState(Shown):
    """A master's numbers at one moment.

    Args:
        name: its name.
        api: the version of this interface.
        figures: the numbers; None: they could never be read.
        trouble: why they could not be read anew; None: they could.
    """

    name: str
    api: str
    figures: Figures | None
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class StatusLines(Shown):
    """How a master is, as lines for people."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analysers(Shown):
    """All analysers, by name."""

    analysers: tuple[AnalyserLine, ...]


@dataclass(frozen=True, slots=True)
class JobRow(JobView):
    """A job, with its question for people.

    Args:
        question: it, in one line; empty: it cannot be read.
        position: as `/api/positions` reads it; empty: the job has none, as in Threes!.
    """

    question: str = ""
    position: str = ""


@dataclass(frozen=True, slots=True)
class Jobs(Shown):
    """All jobs, oldest first, without the statistics of their alternatives."""

    jobs: tuple[JobRow, ...]


@dataclass(frozen=True, slots=True)
class Extension(Asked):
    """Trials of each alternative that a job is extended by."""

    trials: Annotated[int, Field(ge=1, le=TRIALS_MAX)]


@dataclass(frozen=True, slots=True)
class PriorityChange(Asked):
    """The priority that a running job of trials is to have."""

    priority: PriorityWord


@dataclass(frozen=True, slots=True)
class Questions(Asked):
    """Questions, each text once, and the priority of their work."""

    questions: Annotated[tuple[str, ...], Field(max_length=QUESTIONS_MAX)]
    priority: Annotated[PriorityWord, Field(json_schema_extra={"default": "asked"})] = (
        Priority.ASKED
    )


@dataclass(frozen=True, slots=True)
class GivenAnswers(Shown):
    """Answers that have come: the index of a question and its answer, for each."""

    answers: tuple[tuple[Count, str], ...]


StatePart = MasterState | AnalyserLine | JobRow
"""A part of the state that the page follows."""


@dataclass(frozen=True, slots=True)
class StateChanges(Shown):
    """The changes since a reader's state: new and changed parts of each kind, and the keys gone."""

    changed: Mapping[str, Sequence[StatePart]]
    gone: Mapping[str, Sequence[str]]
