"""One job's state: what is folded, what is left to hand out, who died of what.

Knows ranges of trials and the stop rule; must not know who gets which part.
"""

from array import array
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from master.contract.commands import StoppedBy
from master.contract.events import JobSpec, Priority, Result, Values
from master.fold.answers import AnswerFold
from master.fold.stop_rule import StopRule
from master.fold.summary import FoldSummary
from master.fold.trials import SEQ_MAX, FoldOutcome, TrialFold
from master.scheduler.leases import Lease, Outlook, Paces, Part
from master.scheduler.limits import LEAD_TRIALS_MIN

NOBODY = -1  # source of results that came from the store
ALL_TRIALS = -1  # stands for them where a question stands for itself: they share a context


class Fold(Protocol):
    """What a job's fold does, be it of trials or of answers; a result is what it takes."""

    folded: int
    limit: int

    @property
    def rounds(self) -> int:
        """Whole rounds folded."""

    @property
    def held_count(self) -> int:
        """Results that wait for a gap to close."""

    @property
    def known_end(self) -> int:
        """One more than the largest seq known."""

    def has(self, seq: int) -> bool:
        """Say whether a result is known."""

    def values_at(self, seq: int) -> Any:
        """Return a known result; None when it is unknown."""

    def add(self, seq: int, values: Any) -> FoldOutcome:
        """Take one result in."""

    def add_run(self, first_seq: int, run: Any) -> bool:
        """Take consecutive results in if they are the next to fold."""

    def raise_limit(self, limit: int) -> None:
        """Let the prefix grow."""

    def withdraw(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Take known results out."""

    def check(self, run: Any) -> None:
        """Raise BadValueError unless all the results are ones that can be taken in."""

    def replaced(self, seq: int, values: Any) -> "Fold":
        """Return the same fold with another result for one seq."""

    def summary(self) -> FoldSummary:
        """Return what the stop rules look at."""


@dataclass(slots=True, eq=False, order=False)
class Piece:
    """Trials first .. end - 1, given back and waiting to be handed out again.

    Args:
        part: whose attempts go on with it; None: a new part.
    """

    first: int
    end: int
    part: Part | None = None

    def __lt__(self, other: "Piece") -> bool:
        return (self.first, self.end) < (other.first, other.end)


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
    known: Result
    known_by: int
    claimed: Result
    claimed_by: int
    names: frozenset[str]
    referee: Lease | None = None


@dataclass(slots=True, eq=False)
class Job:
    """A job that was not forgotten.

    Args:
        target: trials in all, as far as the rules say; SEQ_MAX when they do not.
        next_seq: no trial from here on was ever handed out.
        pieces: what was given back, sorted.
        sources: who delivered each known trial below next_seq.
        unconfirmed: attempts that have given results and not ended, in the order they began to.
        waits_for: one of them that a stop rule waits for, at the last look.
        folded_max: the longest the prefix has been before something was taken out.
        deaths: for a trial: names of the analysers that died of it.
        refusals: for a question, or ALL_TRIALS: names of the analysers that called its context bad.
        names: of the analysers that were handed some of it, by session.
        leased: trials outstanding, each handing-out counted.
        leases: handings-out outstanding, in the order in which they were made.
        outlook: when all would be answered, at the last look at everybody; None: not looked.
        is_lead_bound: somebody got nothing because the lead is used up.
        halt_until: it is being halted; when its end is announced at the latest.
        number: the job's number.
        priority: the job's.
        is_asking: it asks questions.
    """

    spec: JobSpec
    fold: Fold
    rule: StopRule
    target: int
    next_seq: int = 0
    pieces: list[Piece] = field(default_factory=list)
    sources: "array[int]" = field(default_factory=lambda: array("q"))
    unconfirmed: dict[Lease, None] = field(default_factory=dict)
    waits_for: Lease | None = None
    folded_max: int = 0
    deaths: dict[int, list[str]] = field(default_factory=dict)
    refusals: dict[int, list[str]] = field(default_factory=dict)
    disputes: dict[int, Dispute] = field(default_factory=dict)
    paces: Paces = field(default_factory=Paces)
    unsuited: set[int] = field(default_factory=set)
    names: dict[int, str] = field(default_factory=dict)
    leased: int = 0
    leases: dict[Lease, None] = field(default_factory=dict)
    lead: int = 0
    outlook: Outlook | None = None
    is_lead_bound: bool = False
    is_ended: bool = False
    halt_until: float | None = None
    number: int = field(init=False)
    priority: Priority = field(init=False)
    is_asking: bool = field(init=False)

    def __post_init__(self) -> None:
        """Keep what is asked for most often at hand."""
        self.number = self.spec.job
        self.priority = self.spec.priority
        self.is_asking = self.spec.questions is not None

    @property
    def kind(self) -> tuple[str, ...]:
        """Return what jobs of questions have in common that share their paces; empty: nothing."""
        spec = self.spec
        if not self.is_asking or not spec.work:
            return ()
        return spec.game, spec.engine, spec.service, spec.work

    @property
    def rank(self) -> tuple[int, int]:
        """Return what jobs are sorted by: the smallest goes first."""
        return -self.priority, -self.number

    def note_handed(self, lease: Lease) -> None:
        """Note a handing-out."""
        self.leases[lease] = None
        self.names[lease.analyser.number] = lease.analyser.name

    def may_use(self, number: int) -> bool:
        """Say whether a session computes trials or questions of the job, as far as is known."""
        return number in self.paces and number not in self.unsuited

    def by_trial(self) -> list[Lease]:
        """Return its outstanding handings-out by their trials."""
        return sorted(self.leases, key=lambda lease: (lease.next, lease.key))

    def context(self, seq: int) -> str:
        """Return the text that travels with a part."""
        return self.spec.context if self.spec.questions is None else self.spec.questions[seq]

    def name_of(self, seq: int) -> str:
        """Return what people call a trial or question."""
        if self.is_asking:
            return f"question {seq}"
        return f"trial {seq} of job {self.number}"

    @property
    def left_count(self) -> int:
        """How many trials or questions nobody was handed, or somebody gave back."""
        return self.target - self.next_seq + sum(piece.end - piece.first for piece in self.pieces)

    def skip_known(self) -> None:
        """Pass over what became known before it was handed out."""
        while self.next_seq < self.target and self.fold.has(self.next_seq):
            self.grant_fresh(1)

    @property
    def room(self) -> int:
        """How many trials that were never handed out may be handed out now."""
        horizon = self.fold.folded + self.lead
        return (horizon if horizon < self.target else self.target) - self.next_seq

    def has_work(self) -> bool:
        """Say whether anything can be handed out now."""
        if self.halt_until is not None:
            return False
        return self.room > 0 or self.has_piece() or self.open_dispute() is not None

    def has_piece(self) -> bool:
        """Say whether something given back may be handed out now."""
        return bool(self.pieces) and self.pieces[0].first < self.fold.folded + self.lead

    def open_dispute(self) -> Dispute | None:
        """Return a dispute nobody settles yet."""
        return next((d for d in self.disputes.values() if d.referee is None), None)

    def give_back(self, first: int, end: int, part: Part | None) -> None:
        """Put the missing ones of some trials back in front of the queue.

        A trial that an analyser died of comes back alone, so that its next death names it.
        """
        fold = self.fold
        while first < end and fold.has(first):
            first += 1
        if first == end:
            return
        for seq in sorted(seq for seq in self.deaths if first <= seq < end):
            if end - first > 1:
                part = None
            if first < seq:
                insort(self.pieces, Piece(first, seq, part))
            insort(self.pieces, Piece(seq, seq + 1, part))
            first = seq + 1
        if first < end:
            insort(self.pieces, Piece(first, end, part))

    def take_out(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Take known results out and put their trials in front of the queue.

        The stop rules look again from the first of them on, and never further than before.
        """
        self.folded_max = max(self.folded_max, self.fold.folded)
        limit = self._next_limit(ranges[0][0] // self.spec.alternative_count)
        limit = min(limit, self.fold.limit)
        self.fold.withdraw(ranges)
        self.fold.raise_limit(limit)
        for first, end in ranges:
            self.sources[first:end] = array("q", bytes(8 * (end - first)))
            self.give_back(first, end, None)

    def grant_fresh(self, count: int) -> tuple[int, int]:
        """Take the next trials that were never handed out; there is room for them."""
        first = self.next_seq
        end = self.next_seq = first + count
        if count == 1:
            self.sources.append(0)
        else:
            self.sources.frombytes(bytes(8 * count))
        return first, end

    def source(self, seq: int) -> int:
        """Return who delivered a trial: a session's number, or NOBODY."""
        return self.sources[seq] - 1 if seq < len(self.sources) else NOBODY

    def note_source(self, analyser: int, first: int, end: int) -> None:
        """Remember who delivered trials."""
        if end - first == 1:
            self.sources[first] = analyser + 1
        else:
            self.sources[first:end] = array("q", (analyser + 1,)) * (end - first)

    def verdict(self, waits_for_disputes: bool) -> StoppedBy | None:
        """Look at the stop rules wherever the prefix has come to; return why the job ends."""
        fold = self.fold
        while fold.folded >= fold.limit:
            if self.is_unconfirmed_below(fold.limit) or (self.disputes and waits_for_disputes):
                return None
            stopped_by = self.rule.verdict(fold.summary())
            if stopped_by is not None:
                return stopped_by
            fold.raise_limit(self._next_limit(fold.rounds))
        return None

    def is_unconfirmed_below(self, limit: int) -> bool:
        """Say whether results below a limit come from attempts that have not ended."""
        known = self.waits_for
        if known is None or known not in self.unconfirmed or not self._is_source(known, limit):
            found = (lease for lease in self.unconfirmed if self._is_source(lease, limit))
            self.waits_for = next(found, None)
        return self.waits_for is not None

    def _is_source(self, lease: Lease, limit: int) -> bool:
        """Say whether known results below a limit come from an attempt, and from nobody else."""
        mark = lease.analyser.number + 1
        return any(source == mark for source in self.sources[lease.first : min(lease.sent, limit)])

    def _next_limit(self, rounds: int) -> int:
        check = self.rule.next_check(rounds)
        return SEQ_MAX if check is None else check * self.spec.alternative_count

    def extend(self, trials: int) -> None:
        """Set a larger number of games for each alternative."""
        assert self.rule.trials is None or trials >= self.rule.trials, "trials are only added"
        self.rule = replace(self.rule, trials=trials)
        self.target = trials * self.spec.alternative_count
        self.fold.raise_limit(self._next_limit(self.fold.rounds))

    def correct(self, seq: int, values: Result) -> None:
        """Fold everything anew with another result for one seq; rules are looked at anew."""
        self.fold = self.fold.replaced(seq, values)
        self.fold.raise_limit(self._next_limit(0))


def new_job(spec: JobSpec, known: Sequence[tuple[int, Values]]) -> Job:
    """Return a job with the results it has; what is missing among them is handed out first."""
    assert spec.trials is not None or spec.stop_se is not None, "a job needs an end"
    if spec.questions is not None:
        return _new_asking(spec, len(spec.questions))
    fold = TrialFold(
        spec.alternative_count, spec.value_count, spec.ranking_value, spec.value_ranges
    )
    target = SEQ_MAX if spec.trials is None else spec.trials * spec.alternative_count
    job = Job(spec, fold, StopRule(spec.trials, spec.stop_se), target, lead=LEAD_TRIALS_MIN)
    fold.limit = job._next_limit(0)
    for seq, values in known:
        fold.add(seq, values)
    end = min(fold.known_end, max(target, fold.folded))
    job.grant_fresh(end)
    _find_gaps(job, end)
    return job


def _new_asking(spec: JobSpec, count: int) -> Job:
    """Return a job of questions; all of them may be handed out at once."""
    assert (spec.trials, spec.alternative_count) == (count, 1), "a question is asked once"
    return Job(spec, AnswerFold(count), StopRule(count, None), count, lead=count)


def _find_gaps(job: Job, end: int) -> None:
    first = job.fold.folded
    while first < end:
        after = first
        while after < end and not job.fold.has(after):
            after += 1
        if after > first:
            job.give_back(first, after, None)
        first = after + 1
