"""Jobs of both kinds, analysers, and the outstanding parts of jobs that each of them holds.

A lease is in the tables of its part, of its job and of its analyser, and its missing trials in the
sums of its job and of its analyser's pace. All of these change by the functions at the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from master.contract.commands import (
    Command,
    CorrectAnswer,
    CorrectTrial,
    StoppedBy,
    StoreAnswer,
    StoreTrials,
)
from master.contract.events import EngineOffer, ResultValues
from master.contract.job_words import Priority
from master.contract.leases import Holding, Lease, Life, Window
from master.scheduler.job_trials import JobTrials
from master.scheduler.limits import LATE_FACTOR, LATE_SLACK_S, LATE_UNKNOWN_S
from master.scheduler.paces import Lanes, Pace, Paces, TimingEstimate


@dataclass(slots=True, eq=False)
class Part:
    """A range of trials that is handed out, possibly several times.

    Args:
        number: its number, never used again.
        attempts: their number so far.
        leases: those that are outstanding.
    """

    number: int
    attempts: int = 0
    leases: list["JobLease"] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Dispute:
    """Two analysers gave different results for a trial; a third is asked.

    Args:
        seq: the trial.
        known: the result that was taken in first.
        known_by: the analyser that gave it, or NOBODY.
        claimed: the other result.
        claimed_by: the analyser that gave that.
        names: both analysers' names, as far as known: a third of another name is asked.
        referee: the third's lease; None: not handed out yet.
    """

    seq: int
    known: ResultValues
    known_by: int
    claimed: ResultValues
    claimed_by: int
    names: frozenset[str]
    referee: "JobLease | None" = None


@dataclass(slots=True, eq=False)
class Job(JobTrials["Part"]):
    """A job that was not forgotten: its trials, and the analysers that work on them.

    Its two sorts are TrialJob and QuestionJob.  No abstract base class: which sort a job is, is
    asked several times for each result, and would take three times as long.

    Args:
        unconfirmed: attempts that have given trials and not ended, in the order they began to.
        refusals: by refusal_key: names of the analysers that called a context bad.
        unsuited: sessions that cannot compute it, and why.
        names: of the analysers that were handed some of it, by session.
        leased: trials outstanding, counted for each attempt.
        leases: outstanding attempts, in the order in which they were made.
        is_lead_bound: an analyser got nothing because the lead is used up.
        halt_until: it is being halted; when its end is announced at the latest.
        number: the job's number.
        priority: the job's, as it is now.
        was_moved: its priority was changed: parts handed out before may fill a window by
            themselves.
        is_context_good: a trial of it was computed here: its context can be read.
    """

    unconfirmed: dict["JobLease", None] = field(default_factory=dict)
    refusals: dict[int, list[str]] = field(default_factory=dict)
    disputes: dict[int, Dispute] = field(default_factory=dict)
    paces: Paces = field(default_factory=Paces)
    unsuited: dict[int, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    leased: int = 0
    leases: dict["JobLease", None] = field(default_factory=dict)
    is_lead_bound: bool = False
    is_ended: bool = False
    halt_until: float | None = None
    was_moved: bool = False
    is_context_good: bool = False
    number: int = field(init=False)
    priority: Priority = field(init=False)

    def __post_init__(self) -> None:
        """Keep often used values as attributes."""
        self.number = self.spec.job
        self.priority = self.spec.priority

    @property
    def rank(self) -> tuple[int, int]:
        """Return the sort key of jobs: the smallest goes first, of equal ones the oldest."""
        return -self.priority, -self.number

    def add(self, lease: "JobLease") -> None:
        """Note an attempt."""
        self.leases[lease] = None
        self.names[lease.analyser.number] = lease.analyser.name

    def may_use(self, number: int) -> bool:
        """Say whether a session computes trials or questions of the job, as far as is known."""
        return number in self.paces and number not in self.unsuited

    def by_trial(self) -> list["JobLease"]:
        """Return its outstanding attempts by their trials."""
        return sorted(self.leases, key=lambda lease: (lease.next, lease.key))

    def context(self, seq: int) -> str:
        """Return the text that travels with a part."""
        raise NotImplementedError

    def name_of(self, seq: int) -> str:
        """Return a trial's or question's name for people."""
        raise NotImplementedError

    def refusal_key(self, seq: int) -> int:
        """Return the key under which refusals of a trial's or question's context are kept."""
        raise NotImplementedError

    def to_store(self, source: int, first: int, values: Sequence[Any]) -> Command:
        """Return the command that keeps new results of a session."""
        raise NotImplementedError

    def to_correct(self, source: int, seq: int, values: Any) -> Command:
        """Return the command that puts another session's result in the place of a wrong one."""
        raise NotImplementedError

    def is_unconfirmed_below(self, limit: int) -> bool:
        """Say whether results below a limit come from attempts that have not ended."""
        raise NotImplementedError

    def has_work(self) -> bool:
        """Say whether anything can be handed out now."""
        if self.halt_until is not None:
            return False
        return self.room > 0 or self.has_piece() or self.open_dispute() is not None

    def open_dispute(self) -> Dispute | None:
        """Return a dispute that no analyser settles yet."""
        return next((d for d in self.disputes.values() if d.referee is None), None)

    def verdict(self, waits_for_disputes: bool) -> StoppedBy | None:
        """Apply the stop rules to the present prefix; return why the job ends."""
        fold = self.fold
        while fold.folded >= fold.limit:
            if self.is_unconfirmed_below(fold.limit) or (self.disputes and waits_for_disputes):
                return None
            summary = fold.summary()
            stopped_by = self.rule.verdict(summary)
            if stopped_by is not None:
                return stopped_by
            if beaten := self.rule.beaten(summary):
                self.retire(beaten)
            fold.raise_limit(self.next_limit(fold.rounds))
        return None


@dataclass(slots=True, eq=False)
class Analyser(Window["JobLease"]):
    """One session of one analyser.

    Args:
        number: the shell's number for the session.
        is_taking: it gets new parts: not draining, away or suspect.
        away_until: when its parts are given back unless it has come back; None: it is here.
        is_suspect: one of its parts stands still, and nothing else moved since.
        held: attempts by the priority of their jobs.
        turn: changes with every attempt and its end.
        lanes: when its workers are free, from the last estimate.
        host: the machine it is on, as far as known; empty: unknown.
    """

    number: int
    name: str
    workers: int
    offers: dict[str, EngineOffer]
    is_taking: bool = True
    is_draining: bool = False
    is_suspect: bool = False
    away_until: float | None = None
    delivered: int = 0
    held: list[int] = field(default_factory=lambda: [0] * len(Priority))
    turn: int = 0
    lanes: Lanes | None = None
    host: str = ""

    def held_below(self, priority: Priority) -> int:
        """Return how many attempts of lower priority it holds."""
        return self.held[0] if priority == 1 else sum(self.held[:priority])

    def is_urgent_for(self, priority: Priority) -> bool:
        """Say whether a part is to pause others here: a background part pauses none."""
        if priority is Priority.URGENT:
            return True
        return priority > Priority.BACKGROUND and self.held[0] > 0

    def add(self, lease: "JobLease") -> None:
        """Note an attempt."""
        Window.add(self, lease)
        self.turn += 1
        self.held[lease.job.priority] += 1
        if lease.is_urgent:
            for other in self.leases.values():
                other.was_paused = other.was_paused or not other.is_urgent

    def remove(self, lease: "JobLease") -> None:
        """Take an attempt off."""
        Window.remove(self, lease)
        self.turn += 1
        self.held[lease.job.priority] -= 1

    def reprioritise(self, lease: "JobLease", priority: Priority) -> None:
        """Note that an attempt is of another priority from now on."""
        self.turn += 1
        self.held[lease.job.priority] -= 1
        self.held[priority] += 1

    def update_taking(self) -> None:
        """Work out whether it gets new parts."""
        self.is_taking = not (self.is_draining or self.is_suspect) and self.away_until is None

    def running(self) -> Iterator["JobLease"]:
        """Yield the leases its workers may be computing: the first ones that do not stand still."""
        return islice((x for x in self.in_order() if x.life is not Life.STALLED), self.workers)


@dataclass(slots=True, eq=False)
class JobLease(Lease):
    """An attempt at trials first .. end - 1 of a job.

    Args:
        next: the first trial of it whose result is missing (or was, at the last update).
        handed_at: when it was handed out.
        due_at: when it is late.
        moved_at: when it last showed a sign of life; None: not since it could have begun.
        is_first: its analyser was idle when it was handed out.
        is_referee: it settles a dispute: its trial has results already.
        sent: end of the results its analyser has sent itself.
        was_paused: an urgent part came: its own time is not representative.
        begun_at: when a worker began it, as far as known; None: not yet, or unknown.
        is_announced: the shell got the command that says that it has given results.
    """

    part: Part
    analyser: Analyser
    job: Job
    first: int
    end: int
    next: int
    handed_at: float
    due_at: float
    moved_at: float | None = None
    is_first: bool = False
    is_referee: bool = False
    sent: int = -1
    was_paused: bool = False
    begun_at: float | None = None
    is_announced: bool = False

    def covers(self, first: int, end: int) -> bool:
        """Say whether trials first .. end - 1 are to be expected from it."""
        is_counted_on = self.holding is Holding.HELD and not self.is_referee
        return is_counted_on and self.first <= first and end <= self.end


ALL_TRIALS = -1
"""The key of their refusals: they share a context."""


@dataclass(slots=True, eq=False)
class TrialJob(Job):
    """A job of trials, whose results count when their attempts have ended.

    Args:
        waits_for: an unconfirmed attempt that a stop rule waits for, at the last check.
    """

    waits_for: JobLease | None = None

    def context(self, seq: int) -> str:
        """Return the context, which all trials share."""
        return self.spec.context

    def name_of(self, seq: int) -> str:
        """Return a trial's name for people."""
        return f"trial {seq} of job {self.number}"

    def refusal_key(self, seq: int) -> int:
        """Return one key for all trials."""
        return ALL_TRIALS

    def to_store(self, source: int, first: int, values: Sequence[Any]) -> Command:
        """Return the command that keeps a run of trials."""
        return StoreTrials(self.number, source, first, values)

    def to_correct(self, source: int, seq: int, values: Any) -> Command:
        """Return the command that puts another session's trial in the place of a wrong one."""
        return CorrectTrial(self.number, source, seq, values)

    def is_unconfirmed_below(self, limit: int) -> bool:
        """Say whether results below a limit come from attempts that have not ended."""
        known = self.waits_for
        if known is None or known not in self.unconfirmed or not self._is_source(known, limit):
            found = (lease for lease in self.unconfirmed if self._is_source(lease, limit))
            self.waits_for = next(found, None)
        return self.waits_for is not None

    def _is_source(self, lease: JobLease, limit: int) -> bool:
        """Say whether known results below a limit come from an attempt's analyser alone."""
        mark = lease.analyser.number + 1
        return any(source == mark for source in self.sources[lease.first : min(lease.sent, limit)])


@dataclass(slots=True, eq=False)
class QuestionJob(Job):
    """A job of questions: each is a part of its own, timed by itself, and answered at its end.

    Args:
        estimate: when all would be answered, from the last estimate; None: there is none.
    """

    estimate: TimingEstimate | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Return a sort key behind that of trials of the same priority, and the same for all."""
        return -self.priority, 0

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, in order."""
        assert self.spec.questions is not None, "a job of questions has some"
        return self.spec.questions

    @property
    def kind(self) -> tuple[str, ...]:
        """Return a key: jobs with the same one share their paces; empty: with none."""
        spec = self.spec
        return (spec.game, spec.engine, spec.service, spec.work) if spec.work else ()

    def context(self, seq: int) -> str:
        """Return a question."""
        return self.questions[seq]

    def name_of(self, seq: int) -> str:
        """Return a question's name for people."""
        return f"question {seq}"

    def refusal_key(self, seq: int) -> int:
        """Return a key for each question."""
        return seq

    def to_store(self, source: int, first: int, values: Sequence[Any]) -> Command:
        """Return the command that passes an answer on and keeps it."""
        ((text,),) = values
        return StoreAnswer(self.number, source, first, text)

    def to_correct(self, source: int, seq: int, values: Any) -> Command:
        """Return the command that puts another answer in the place of a wrong one."""
        return CorrectAnswer(self.number, source, seq, values[0])

    def is_unconfirmed_below(self, limit: int) -> bool:
        """Say that none is: an answer is taken in when its attempt has ended."""
        return False


_BACKGROUND, _NORMAL = Priority.BACKGROUND, Priority.NORMAL


def open_lease(
    part: Part, analyser: Analyser, job: Job, pace: Pace, first: int, end: int, now: float
) -> JobLease:
    """Return the next attempt of a part: trials first .. end - 1 of a job, at an analyser."""
    part.attempts += 1
    job.leased += end - first
    pace.leased += end - first
    if pace.rate > 0.0:
        due_at = now + LATE_SLACK_S + LATE_FACTOR * pace.leased / pace.rate
    else:
        due_at = now + LATE_UNKNOWN_S
    key = part.number, part.attempts
    lease = JobLease(part, analyser, job, first, end, first, now, due_at, key=key)
    lease.is_first = not analyser.leases
    if job.priority > _NORMAL or analyser.held[_BACKGROUND]:
        lease.is_urgent = analyser.is_urgent_for(job.priority)
    part.leases.append(lease)
    job.add(lease)
    if not isinstance(job, TrialJob):
        running = analyser.urgent_count if lease.is_urgent else len(analyser.leases)
        lease.begun_at = now if running < analyser.workers else None
    analyser.add(lease)
    return lease


def close_lease(lease: JobLease, now: float) -> None:
    """Take a lease off all tables; its missing trials do not count as outstanding any more.

    Where questions wait, the next one begins.
    """
    analyser = lease.analyser
    analyser.remove(lease)
    if not isinstance(lease.job, TrialJob):
        begin_waiting(analyser, now)
    lease.part.leases.remove(lease)
    del lease.job.leases[lease]
    if lease.next < lease.end:
        missing = lease.next
        advance(lease, lease.end)
        lease.next = missing


def begin_waiting(analyser: Analyser, now: float) -> None:
    """Note that waiting questions are begun where a worker is free."""
    for other in islice(analyser.in_order(), analyser.workers):
        if other.begun_at is None and not isinstance(other.job, TrialJob):
            other.begun_at = now


def advance(lease: JobLease, to: int) -> None:
    """Note that the results of a lease before trial `to` are known."""
    count = to - lease.next
    lease.next = to
    job = lease.job
    job.leased -= count
    pace = job.paces.get(lease.analyser.number)
    if pace is not None:
        pace.leased -= count


def catch_up(lease: JobLease) -> None:
    """Note results of a lease's trials that others have delivered."""
    has, to = lease.job.fold.has, lease.next
    while to < lease.end and has(to):
        to += 1
    advance(lease, to)
