"""A client's requests to a master and its views, the same for every way to a master.

A view is a copy and is never updated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from engine_ext.contexts import CONTEXT_BYTES_MAX
from master.contract.goals import Goal
from master.contract.job_words import JobNumber, JobState, Priority, PriorityWord
from master.contract.search_views import SearchView
from master.contract.shapes import Asked, Count, Rate, Shown, Within

TRIALS_MAX = 2**40
"""Of one job: a million analysers for weeks."""

STOP_SETTLED_MAX = 100.0
"""Standard errors; more certainty is of no use."""

LABEL_CHARACTERS_MAX = 4_000

UPDATE_INTERVAL_S = 0.5
"""For people: twice a second looks alive."""


@dataclass(frozen=True, slots=True)
class AlternativeSummary(Shown):
    """One alternative's statistics.

    Args:
        trials: games folded; the same for every alternative.
        means: mean of each value.
        std_errors: standard error of each mean; None from a single trial.
        diff_to_best: mean ranking value minus the best alternative's; 0.0 for the best itself.
        diff_std_error: standard error of that difference, from games paired by their dice.
        quantiles: of the ranking value, the last one: of every 5 % from the least to the greatest,
            to within 0.2 % of each (see master.fold.sums); empty: not asked for, or not known
            of a job that an older version began.
    """

    trials: Count
    means: tuple[float, ...]
    std_errors: tuple[float | None, ...]
    diff_to_best: float
    diff_std_error: float | None
    quantiles: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class JobRequest(Asked):
    """A job to run.

    Args:
        context: the description of a trial, or of the search (see engine_ext.services).
        trials: games of each alternative; None: until `stop_se` is met.
        stop_se: end when the ranking value's standard error is at most this for every
            alternative; None: no such rule.
        label: the client's own text, kept with the job and given back unread.
        stop_settled: end when the best alternative leads each other one by so many standard errors
            of their paired difference, and give an alternative that trails by so much no more
            trials; None: no such rule. Of these rules one must be given, and for a search none.
    """

    context: Annotated[str, Within(min_length=1, max_length=CONTEXT_BYTES_MAX)]
    trials: Annotated[int, Within(ge=1, le=TRIALS_MAX)] | None = None
    stop_se: Annotated[float, Within(gt=0)] | None = None
    label: Annotated[str, Within(max_length=LABEL_CHARACTERS_MAX)] = ""
    stop_settled: Annotated[float, Within(gt=0, le=STOP_SETTLED_MAX)] | None = None

    @property
    def goal(self) -> Goal:
        """When it has enough."""
        return Goal(self.trials, self.stop_se, self.stop_settled)


@dataclass(frozen=True, slots=True)
class JobView(Shown):
    """One job, running or not.

    Args:
        job: its number.
        context: as requested.
        digest: of the context.
        game: of the context.
        engine: digest of the engine that computes it.
        alternative_names: in the order of `alternatives`.
        value_names: in the order of each alternative's means.
        label: as requested.
        created: UTC, ISO 8601.
        trials: as requested, or as extended.
        stop_se: as requested.
        state: its state.
        stopped_by: "trials", "stop_se", "settled", "answered", "halted", "failed", "interrupted",
            "drained" or, while it runs, "".
        error: why it stopped before its end, if something went wrong.
        folded: trials in the folded prefix, all alternatives together; those that were not needed
            count.
        held: results that wait for a gap before them to close.
        trials_per_s: results a second over the last seconds, all alternatives together.
        eta_s: seconds to the end by that rate; None: unknown.
        alternatives: statistics of the whole rounds folded; empty before the first.
        caught: a line for each analyser that broke a rule: the rule, and the cost to the job.
        search: the state of a search; its fields about trials then mean nothing.
        stop_settled: as requested.
        priority: of its work while it runs; it has no effect if the job has no trials.
    """

    job: JobNumber
    context: str
    digest: str
    game: str
    engine: str
    alternative_names: tuple[str, ...]
    value_names: tuple[str, ...]
    label: str
    created: str
    trials: Count | None
    stop_se: Rate | None
    state: JobState
    stopped_by: str
    error: str
    folded: Count
    held: Count
    trials_per_s: Rate
    eta_s: Rate | None
    alternatives: tuple[AlternativeSummary, ...]
    caught: tuple[str, ...] = ()
    search: SearchView | None = None
    stop_settled: Rate | None = None
    priority: PriorityWord = Priority.NORMAL

    @property
    def goal(self) -> Goal:
        """When it has enough."""
        return Goal(self.trials, self.stop_se, self.stop_settled)


@dataclass(frozen=True, slots=True)
class HeldPart(Shown):
    """A part that an analyser has in hand.

    Args:
        job: the job of the trials; None: it is a question.
        first_seq: the first of them, by the job's count; of questions: which one.
        count: how many.
    """

    job: JobNumber | None
    first_seq: Count
    count: Count


@dataclass(frozen=True, slots=True)
class PastIncident(Shown):
    """An incident of an analyser.

    Args:
        at: UTC, ISO 8601.
        kind: a word of IncidentKind.
        text: one line for people.
    """

    at: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class OfferedEngine(Shown):
    """An engine of an analyser.

    Args:
        game: whose engine it is.
        engine: its digest.
        name: for people, with the options that are set; empty: the game's own.
    """

    game: str
    engine: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class AnalyserLine(Shown):
    """One analyser as a display shows it.

    Args:
        name: as it announced itself, or as the fleet list calls it.
        address: where it is: HOST:PORT, exec:COMMAND or "local".
        state: "ready", "away", "draining", "suspect", "unsuited", "connecting" or "quarantined".
        workers: its worker threads; 0 before it is ready.
        parts: parts outstanding.
        trials: results it has delivered that were new.
        trials_per_s: its observed rate.
        text: why it is not ready, if it is not.
        powers: of each game that it computes its name, and the units of work a second that the
            analyser has announced for it.
        round_trip_s: between a line to it and its answer, at last; None: not measured yet.
        part: the part that it computes first; None: none, or parts of a search.
        incident_counts: its incidents of each kind, by the kind's word.
        incidents: the latest of these, the oldest first.
        key: tells it from others of its name and address; empty: it is shown alone.
        engines: those that it has announced.
    """

    name: str
    address: str
    state: str
    workers: Count = 0
    parts: Count = 0
    trials: Count = 0
    trials_per_s: Rate = 0.0
    text: str = ""
    powers: tuple[tuple[str, Rate], ...] = ()
    round_trip_s: Rate | None = None
    part: HeldPart | None = None
    incident_counts: tuple[tuple[str, Count], ...] = ()
    incidents: tuple[PastIncident, ...] = ()
    key: str = ""
    engines: tuple[OfferedEngine, ...] = ()


class NoticeKind(StrEnum):
    """How loud a notice is."""

    WARNING = "warning"  # something does not work; the job goes on without it
    INCIDENT = "incident"  # results that contradict each other, a trial that kills analysers, ...


@dataclass(frozen=True, slots=True)
class Notice(Shown):
    """One line for people about something that went wrong."""

    kind: NoticeKind
    text: str


@dataclass(frozen=True, slots=True)
class Update(Shown):
    """A report to the watcher of a job: one now and then, and one more at the job's end.

    Args:
        job: the job's view.
        analysers: all analysers of the master, by name.
        notices: incidents since the watcher's last update.
        is_final: the job runs no more, and all that it shows is stored; no update follows.
    """

    job: JobView
    analysers: tuple[AnalyserLine, ...]
    notices: tuple[Notice, ...]
    is_final: bool


ANALYSER_STATES = ("ready", "away", "draining", "suspect", "unsuited", "connecting", "quarantined")
"""Of an analyser, or of a way in through which no analyser has come."""


@dataclass(frozen=True, slots=True)
class Figures(Shown):
    """A master's numbers at one moment; counts of results are since it began.

    Args:
        parts_waiting: parts that could be handed to further analysers now: see
            master.scheduler.scheduler and, of a search, find_waiting in master.search.assignment.
        workers_busy: worker threads that have a part to compute.
        analysers: how many are in each of ANALYSER_STATES.
        jobs: how many are in each state of a job, by its word.
        results: of trials and questions, that were new.
        duplicates: that were known already, with the same values.
        dropped: of parts that were gone.
    """

    parts_waiting: Count = 0
    workers_busy: Count = 0
    analysers: Mapping[str, Count] = field(default_factory=dict)
    jobs: Mapping[str, Count] = field(default_factory=dict)
    results: Count = 0
    duplicates: Count = 0
    dropped: Count = 0


@dataclass(frozen=True, slots=True)
class ConvergencePoint:
    """All alternatives after a number of rounds.

    Args:
        rounds: whole rounds folded.
        means: of each alternative's ranking value; None: it had no trials any more.
        std_errors: of these means; None as well from a single trial.
    """

    rounds: int
    means: tuple[float | None, ...]
    std_errors: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class JobConvergence:
    """The course of a job's means, from its stored trials.

    Args:
        points: by rounds, a few hundred at most; the last one is of all whole rounds read.
        is_behind: more is stored than was read by now; asked again, there is more.
    """

    points: tuple[ConvergencePoint, ...] = ()
    is_behind: bool = False


@dataclass(frozen=True, slots=True)
class FlowSample:
    """A job's trials at one moment.

    Args:
        at_s: since the job went on in this master.
        received: results that are known and count, all alternatives together.
        folded: of those the ones in the folded prefix.
    """

    at_s: float
    received: int
    folded: int


@dataclass(frozen=True, slots=True)
class JobFlow:
    """How results of a job came in since it went on in this master.

    Args:
        samples: by time, a few hundred at most; empty: it did not run in this master.
        by_analyser: names and how many folded trials are from them, the most first.
        stored: folded trials that were there when the job went on.
        is_live: it runs, and more is to come.
    """

    samples: tuple[FlowSample, ...] = ()
    by_analyser: tuple[tuple[str, int], ...] = ()
    stored: int = 0
    is_live: bool = False
