"""The scheduler's commands: plain values that its shell carries out in their order.

See events.py for the events that they answer.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

from master.contract.events import TRIALS, TrialValues
from protocol.values import value


class StoppedBy(StrEnum):
    """Why a job ended."""

    TRIALS = "trials"  # every alternative has the trials asked for, every question its answer
    STOP_SE = "stop_se"  # every alternative's standard error is small enough
    SETTLED = "settled"  # the best alternative leads by enough standard errors
    HALTED = "halted"  # the user stopped it; it can be resumed
    FAILED = "failed"  # a trial that cannot be computed, or results that contradict each other


class IncidentKind(StrEnum):
    """The kind of an incident; incidents are counted by kind."""

    TWIN_MISMATCH = "twin-mismatch"  # two results of one trial differ
    MISMATCH_SETTLED = "mismatch-settled"  # a third analyser has decided which one is right
    BAD_VALUE = "bad-value"  # a value that no trial can have, or none where a text is due
    BAD_PART = "bad-part"  # a result that does not fit the part it names
    STALLED = "stalled"  # a part made no progress; handed out elsewhere
    RULE_BROKEN = "rule-broken"  # a line that no analyser may send
    PART_FAILED = "part-failed"  # the analyser could not compute it
    JUDGED_HERE = "judged-here"  # analysers failed at it: it is repeated on the master's machine
    TRIAL_BURIED = "trial-buried"  # it cannot be computed: repeated here, it failed again


@value
class HandOut:
    """Send trials first_seq .. first_seq + count - 1 of a job, or a question, to an analyser.

    Args:
        analyser: the session.
        attempt: its number among the attempts at the part.
        first_seq: first trial, or the question.
        count: trials; 1 for a question.
        context: the job's, or the question's text.
        service: the service asked for.
        is_urgent: it pauses parts that are not urgent.
    """

    analyser: int
    part: int
    attempt: int
    job: int
    first_seq: int
    count: int
    context: str
    service: str = TRIALS
    is_urgent: bool = False


@value
class StopPart:
    """Ask an analyser to stop an attempt early. Its final reply is still awaited."""

    analyser: int
    part: int
    attempt: int


@value
class StoreTrials:
    """Store results that are new, consecutive from first_seq. Acknowledge only what is durable."""

    job: int
    analyser: int
    first_seq: int
    values: Sequence[TrialValues]


@value
class AttemptOpened:
    """Mark stored results: trials first_seq .. end_seq - 1 come from an attempt that goes on.

    Results of an attempt count once it has ended rightly. If the master dies, marked results are
    dropped when the job goes on.
    """

    job: int
    part: int
    attempt: int
    first_seq: int
    end_seq: int


@value
class AttemptConfirmed:
    """Unmark the stored results of an attempt: it has ended rightly."""

    job: int
    part: int
    attempt: int


@value
class WithdrawTrials:
    """Take stored results out, trials first .. end - 1 of each range; they are computed again."""

    job: int
    ranges: Sequence[tuple[int, int]]


@value
class Withdrawn:
    """Note in a job's record that an analyser is not trusted any more, and the cost to the job.

    Args:
        name: the analyser's.
        count: its results that were taken out: all that no other analyser had confirmed.
        text: the rule that it broke.
    """

    job: int
    name: str
    count: int
    text: str


@value
class StoreAnswer:
    """Store a new answer, and pass it on to its asker. Acknowledge only what is durable."""

    job: int
    analyser: int
    seq: int
    text: str


@value
class CorrectTrial:
    """Replace a stored result that was proved wrong by two other analysers."""

    job: int
    analyser: int
    seq: int
    values: TrialValues


@value
class CorrectAnswer:
    """Replace an answer that was proved wrong by two other analysers."""

    job: int
    analyser: int
    seq: int
    text: str


@value
class JobEnded:
    """A job has ended; the fold of it (`Scheduler.fold`) stays readable until `forget`.

    Args:
        stopped_by: why.
        text: for people; names the trial or question when the job failed.
        seq: the trial or question that made the job fail, if it was one.
    """

    job: int
    stopped_by: StoppedBy
    text: str = ""
    seq: int | None = None


@value
class JudgeHere:
    """Repeat a trial or question in a child process of the master's machine; answer with `Judged`.

    Analysers were lost at it, or failed: this run decides whether that is the unit's fault.

    Args:
        seq: the trial, or the question.
        game: of the engine that is needed.
        engine: its digest.
        context: the job's, or the question's text.
        service: the service that the child uses.
    """

    job: int
    seq: int
    game: str
    engine: str
    context: str
    service: str = TRIALS


@value
class Unsuited:
    """An analyser gets no parts of a job, and why. Reported once for each of the two."""

    analyser: int
    job: int
    text: str


@value
class Quarantine:
    """An analyser is trusted no more: end the connection, refuse it by name until a person decides.

    Args:
        analyser: the session. Its parts have been taken back already.
        code: a word from the protocol's table of errors: `bad-value` or `bad-result`.
        text: for people.
    """

    analyser: int
    code: str
    text: str


@value
class Incident:
    """Something worth showing and counting; nothing has to be done.

    Args:
        kind: its kind.
        text: one line for people.
        analyser: the session concerned; None: no single one.
        job: the job concerned; None: none.
    """

    kind: IncidentKind
    text: str
    analyser: int | None = None
    job: int | None = None


Command: TypeAlias = (
    HandOut
    | StopPart
    | StoreTrials
    | StoreAnswer
    | AttemptOpened
    | AttemptConfirmed
    | WithdrawTrials
    | Withdrawn
    | CorrectTrial
    | CorrectAnswer
    | JobEnded
    | JudgeHere
    | Unsuited
    | Quarantine
    | Incident
)
