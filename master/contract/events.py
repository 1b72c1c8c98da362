"""The scheduler's events: plain values; with commands.py the master's inner contract.

The service turns wire messages and clients' wishes into events, hands each to
`Scheduler.handle(event, now)`, and carries out the commands it returns *in the order of the list*.
A `JobEnded` follows the `StoreTrials` of the trials it counts. So a shell that carries them out in
order, and commits the trials before it reports the end, never announces a result that a crash could
lose.

A job is of one of two sorts. A job of *trials* plays games of one context and folds their values; a
job of *questions* asks each of its questions, which is answered by one line of text, and each is a
part of its own. Sequence number i is trial i or question i.

Numbers: `analyser` is one session of one analyser (the shell's own number for it, never given to
another session, and the same when that session resumes after a break); `part` and `attempt`
together name one handing-out, and are never used again by the same scheduler.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeAlias

from master.contract.goals import Goal
from master.contract.job_words import Priority
from protocol.values import value

TrialValues: TypeAlias = tuple[float, ...]  # one trial's values, each an exact multiple of 2**-32
# of a trial its values, of a question its answer
ResultValues: TypeAlias = TrialValues | tuple[str]

TRIALS = "trials"
"""The service that every analyser offers."""


class Outcome(StrEnum):
    """How an attempt ended, as the analyser reports it."""

    DONE = "done"
    STOPPED = "stopped"
    FAIL = "fail"


@value
class EngineOffer:
    """One game an analyser can compute.

    Args:
        game: the game's name.
        digest: names the engine; results of different digests are never mixed in a job.
        power: announced units of work a second, all workers together; it only seeds the rate.
        services: the services that it offers; parts of no other service are handed out to it.
        name: the engine's name for people, with its settings; empty: the game's own.
    """

    game: str
    digest: str
    power: float
    services: tuple[str, ...] = (TRIALS,)
    name: str = ""

    def is_like(self, other: "EngineOffer") -> bool:
        """Whether the same work can be done by it, however fast."""
        return (self.digest, self.services) == (other.digest, other.services)


@value
class JobSpec:
    """A job, as far as handing out and folding are concerned.

    Args:
        job: its number, which no other job has that is not forgotten. Among jobs of one priority
            those of trials go first, the largest number before others, so that the newest does;
            behind them those of questions, the first submitted before others.
        context: the text that travels with every part, unchanged; of questions: unused.
        game: which game's engine it needs.
        engine: the digest of that engine; only analysers that offer it get parts.
        alternative_count: A; seq s is game s // A of alternative s % A.
        value_count: values in each trial's result.
        goal: when it has enough; at least one rule of it is given.
        ranking_value: index of the value that ranks the alternatives (higher is better).
        questions: of a job of questions: question seq; None: a job of trials.
        service: the service that analysers are asked for.
        priority: see Priority.
        work: names the class of work, so that the rates observed in one job seed the next one's;
            empty: they are not remembered.
        value_ranges: of each value of a trial the least and the greatest; empty: not stated.
        value_caps: the most that each alternative is worth; empty: no caps.
        engine_name: the engine's name for people; empty: the game's own, or not known here.
    """

    job: int
    context: str
    game: str
    engine: str
    alternative_count: int
    value_count: int
    goal: Goal
    ranking_value: int = -1
    questions: tuple[str, ...] | None = None
    service: str = TRIALS
    priority: Priority = Priority.NORMAL
    work: str = ""
    value_ranges: tuple[tuple[float, float], ...] = ()
    value_caps: tuple[float | None, ...] = ()
    engine_name: str = ""


@value
class AnalyserReady:
    """An analyser can take parts: a new session, or one that came back after a break.

    Of a session that came back only the workers and engines may have changed; its parts go on.

    Args:
        analyser: the session.
        name: the analyser's.
        workers: its worker threads.
        engines: the engines that it offers.
        host: the machine it is on, as far as its address shows; empty: unknown.
    """

    analyser: int
    name: str
    workers: int
    engines: tuple[EngineOffer, ...]
    host: str = ""


@value
class AnalyserResized:
    """An analyser that is there has more workers than before, or fewer; its parts go on."""

    analyser: int
    workers: int
    engines: tuple[EngineOffer, ...]


@value
class AnalyserLost:
    """An analyser's connection is gone.

    Args:
        analyser: the session.
        reason: for people.
        grace_s: how long its parts wait for the session to come back; 0: hand them out now.
        is_orderly: it said good-bye (or was asked to go): this is not counted as a death.
        breach: it broke a rule of the protocol: the code of that; it is trusted no more.
    """

    analyser: int
    reason: str
    grace_s: float = 0.0
    is_orderly: bool = False
    breach: str = ""


@value
class AnalyserDraining:
    """An analyser finishes the parts that it has and wants no new ones."""

    analyser: int


@value
class TrialsArrived:
    """Results of consecutive trials, first_seq onwards, of one attempt."""

    analyser: int
    part: int
    attempt: int
    first_seq: int
    values: Sequence[TrialValues]


@value
class AnswerArrived:
    """The answer to the question of one attempt; it counts when the attempt has ended."""

    analyser: int
    part: int
    attempt: int
    text: str


@value
class PartEnded:
    """The one final reply of an attempt.

    Args:
        analyser: the session.
        attempt: the attempt that ended.
        outcome: how.
        count: the number of trials that the analyser reports as sent for this attempt.
        code: a word from the protocol's table of errors, for FAIL.
        text: for people, for FAIL.
    """

    analyser: int
    part: int
    attempt: int
    outcome: Outcome
    count: int = 0
    code: str = ""
    text: str = ""


@value
class Progressed:
    """A part's step counter, as the analyser reports it about every second."""

    analyser: int
    part: int
    attempt: int
    steps: int


@value
class JobSubmitted:
    """A job to run: new, or going on from its stored results.

    Args:
        spec: the job.
        known: (seq, values) of every stored trial, in any order; folded, never computed again.
    """

    spec: JobSpec
    known: Sequence[tuple[int, TrialValues]] = ()


@value
class AnswerKnown:
    """The answer to a question of a running job has become known otherwise; it is not stored."""

    job: int
    seq: int
    text: str


class Verdict(StrEnum):
    """The outcome of repeating a trial or question in a child process of the master's machine."""

    COMPUTED = "computed"  # the unit is good, and these are its values
    FAILED = "failed"  # the child crashed, hung or refused it: the unit is at fault
    UNKNOWN = "unknown"  # it could not be tried here: another engine, no memory, no time


@value
class Judged:
    """The reply to `JudgeHere`.

    Args:
        seq: the trial, or the question.
        verdict: its outcome.
        values: of a trial its values, of a question its answer; empty unless it was computed.
        text: for people: why it was not computed.
    """

    job: int
    seq: int
    verdict: Verdict
    values: ResultValues | tuple[()] = ()
    text: str = ""


@value
class JobHalted:
    """The user stops a job: nothing more is handed out; results so far stay stored."""

    job: int


@value
class JobExtended:
    """A running job gets a new number of games for each alternative (never fewer than before).

    A job that has ended is extended by a JobSubmitted with the new number and all its results.
    """

    job: int
    trials: int


@value
class JobPrioritised:
    """A running job of trials goes before others, or behind them, from now on.

    Never beyond NORMAL: higher priorities are for questions, and nobody waits for the end of
    trials.
    """

    job: int
    priority: Priority


@value
class Tick:
    """Nothing but time has passed; due at the latest at `Scheduler.next_deadline`."""


Event: TypeAlias = (
    AnalyserReady
    | AnalyserResized
    | AnalyserLost
    | AnalyserDraining
    | TrialsArrived
    | AnswerArrived
    | PartEnded
    | Progressed
    | JobSubmitted
    | AnswerKnown
    | Judged
    | JobHalted
    | JobExtended
    | JobPrioritised
    | Tick
)
