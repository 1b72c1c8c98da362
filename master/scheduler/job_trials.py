"""A job's trials: those folded, those left to hand out, their sources, and suspicions."""

import math
from array import array
from bisect import insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Generic, Protocol, TypeVar

from master.contract.events import JobSpec, ResultValues
from master.fold.stop_rule import StopRule
from master.fold.sums import FoldSummary
from master.fold.trials import SEQ_MAX, FoldOutcome
from master.scheduler.limits import DEATH_PAUSE_S, LEAD_TRIALS_MAX

NOBODY = -1
"""Source of results that came from the store."""

P = TypeVar("P")
"""A part that goes on with trials that were given back."""


class Fold(Protocol):
    """The interface of a job's fold, be it of trials or of answers; a result is of its own type."""

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

    def retire(self, alternatives: Sequence[int]) -> None:
        """Let alternatives have no more trials."""

    def withdraw(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Take known results out."""

    def check(self, run: Any) -> None:
        """Raise BadValueError unless all the results are ones that can be taken in."""

    def replaced(self, seq: int, values: Any) -> "Fold":
        """Return the same fold with another result for one seq."""

    def summary(self) -> FoldSummary:
        """Return the statistics for the stop rules."""


@dataclass(slots=True, eq=False, order=False)
class Piece(Generic[P]):
    """Trials first .. end - 1, given back and waiting to be handed out again.

    Args:
        part: the part that goes on with it; None: a new part.
    """

    first: int
    end: int
    part: P | None = None

    def __lt__(self, other: "Piece[P]") -> bool:
        return (self.first, self.end) < (other.first, other.end)


@dataclass(slots=True, eq=False)
class Suspicion:
    """Evidence against one trial: analysers that were lost while they were at it, or failed.

    Args:
        names: of these analysers, one for each moment: losses of one moment have one reason.
        hosts: of all of them, as far as known.
        codes: (code, host) of those that replied `fail`.
        latest_at: when the last of them was lost.
        is_resting: it is not handed out...
        rests_until: ... before that.
        is_judged: it is being repeated here.
        refusal: the text of an analyser that called its context bad; empty: none did.
    """

    names: list[str] = field(default_factory=list)
    hosts: set[str] = field(default_factory=set)
    codes: set[tuple[str, str]] = field(default_factory=set)
    latest_at: float = -math.inf
    is_resting: bool = False
    rests_until: float = 0.0
    is_judged: bool = False
    refusal: str = ""

    def note(self, name: str, host: str, code: str, now: float) -> None:
        """Note a loss."""
        if now - self.latest_at >= DEATH_PAUSE_S:
            self.names.append(name)
        self.latest_at = now
        if host:
            self.hosts.add(host)
        if code:
            self.codes.add((code, host or name))
        if not self.is_judged:
            self.rest(now)

    def rest(self, now: float) -> None:
        """Have it handed out again a while later."""
        self.is_judged, self.is_resting, self.rests_until = False, True, now + DEATH_PAUSE_S

    @property
    def agreeing_hosts(self) -> int:
        """How many hosts failed with the same code, at most."""
        counts = Counter(code for code, _ in self.codes)
        return max(counts.values(), default=0)

    def judge(self) -> None:
        """Note that it is repeated here, and not handed out meanwhile."""
        self.is_judged, self.is_resting, self.rests_until = True, True, math.inf


@dataclass(slots=True, eq=False)
class JobTrials(Generic[P]):
    """The trials of a job, or its questions.

    Args:
        spec: the job.
        fold: of their results.
        rule: when they are enough.
        target: trials in all, as far as the rules say; SEQ_MAX when they do not.
        next_seq: no trial from here on was ever handed out.
        pieces: ranges that were given back, sorted.
        sources: by trial below next_seq, the analyser that delivered it.
        folded_max: the longest prefix there was before results were taken out.
        suspicions: for a trial: the analysers that were lost at it, or failed.
        resting: trials given back that are handed out again a while after their last loss.
        lead: trials beyond the prefix that may be handed out.
        staying: of how many alternatives trials are needed still; 0: of all.
        run_max: consecutive trials that are needed, at most; 0: any number.
    """

    spec: JobSpec
    fold: Fold
    rule: StopRule
    target: int
    next_seq: int = 0
    pieces: list[Piece[P]] = field(default_factory=list)
    sources: "array[int]" = field(default_factory=lambda: array("q"))
    folded_max: int = 0
    suspicions: dict[int, Suspicion] = field(default_factory=dict)
    resting: dict[int, Piece[P]] = field(default_factory=dict)
    lead: int = 0
    staying: int = 0
    run_max: int = 0

    @property
    def left_count(self) -> int:
        """How many trials or questions were never handed out, or were given back."""
        fresh = self.target - self.next_seq
        if self.staying:
            fresh = fresh * self.staying // self.spec.alternative_count
        return fresh + len(self.resting) + sum(piece.end - piece.first for piece in self.pieces)

    def set_lead(self, trials: int) -> None:
        """Let so many trials beyond the prefix be handed out, not counting those not needed."""
        count = self.spec.alternative_count
        self.lead = min(LEAD_TRIALS_MAX, trials * count // (self.staying or count))

    def fresh_run(self, count: int) -> int:
        """Return how many of the next trials can be one part: all of them are needed."""
        if not self.staying:
            return count
        end = self.next_seq + 1
        while end < self.next_seq + count and not self.fold.has(end):
            end += 1
        return end - self.next_seq

    def retire(self, alternatives: Sequence[int]) -> None:
        """Hand out no more trials of these alternatives."""
        self.fold.retire(alternatives)
        self._note_staying()
        self.skip_known()

    def _note_staying(self) -> None:
        """Work out the needed trials, from the alternatives that have retired."""
        needed = self.fold.summary().staying
        count = self.spec.alternative_count
        self.staying = 0 if len(needed) == count else len(needed)
        runs = "".join("x" if each in needed else " " for each in range(count)).split()
        self.run_max = max(map(len, runs)) if self.staying else 0

    def skip_known(self) -> None:
        """Pass over trials that became known before they were handed out."""
        while self.next_seq < self.target and self.fold.has(self.next_seq):
            self.grant_fresh(1)

    @property
    def room(self) -> int:
        """How many trials that were never handed out may be handed out now."""
        horizon = self.fold.folded + self.lead
        return (horizon if horizon < self.target else self.target) - self.next_seq

    def has_piece(self) -> bool:
        """Say whether something given back may be handed out now."""
        return bool(self.pieces) and self.pieces[0].first < self.fold.folded + self.lead

    def requeue(self, first: int, end: int, part: P | None) -> None:
        """Put the missing ones of some trials back in front of the queue.

        A trial that an analyser was lost at rests, and comes back alone, so that its next loss
        names it.
        """
        fold = self.fold
        while first < end and fold.has(first):
            first += 1
        if first == end:
            return
        for seq in sorted(seq for seq in self.suspicions if first <= seq < end):
            if end - first > 1:
                part = None
            if first < seq:
                insort(self.pieces, Piece(first, seq, part))
            self._give_back(Piece(seq, seq + 1, part))
            first = seq + 1
        if first < end:
            insort(self.pieces, Piece(first, end, part))

    def _give_back(self, piece: Piece[P]) -> None:
        """Put a trial that an analyser was lost at in the queue, or let it rest."""
        if self.fold.has(piece.first):
            return
        if self.suspicions[piece.first].is_resting:
            self.resting[piece.first] = piece
        else:
            insort(self.pieces, piece)

    def end_rests(self, now: float) -> None:
        """Put the trials that have rested long enough back in front of the queue."""
        for seq, piece in list(self.resting.items()):
            suspicion = self.suspicions.get(seq)
            if suspicion is None or now >= suspicion.rests_until:
                del self.resting[seq]
                if suspicion is not None:
                    suspicion.is_resting = False
                if not self.fold.has(seq):
                    insort(self.pieces, piece)

    def suspects(self, seq: int) -> Sequence[str]:
        """Return the names of the analysers that were lost at a trial, or failed."""
        suspicion = self.suspicions.get(seq)
        return () if suspicion is None else suspicion.names

    def withdraw(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Take known results out and put their trials in front of the queue.

        The stop rules are applied again from the first of them on, and never further than before.
        """
        self.folded_max = max(self.folded_max, self.fold.folded)
        limit = self.next_limit(ranges[0][0] // self.spec.alternative_count)
        limit = min(limit, self.fold.limit)
        self.fold.withdraw(ranges)
        self.fold.raise_limit(limit)
        for first, end in ranges:
            self.sources[first:end] = array("q", bytes(8 * (end - first)))
            self.requeue(first, end, None)
        self._requeue_unretired()

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
        """Return the source of a trial: a session's number, or NOBODY."""
        return self.sources[seq] - 1 if seq < len(self.sources) else NOBODY

    def record_source(self, analyser: int, first: int, end: int) -> None:
        """Remember the source of trials."""
        if end - first == 1:
            self.sources[first] = analyser + 1
        else:
            self.sources[first:end] = array("q", (analyser + 1,)) * (end - first)

    def next_limit(self, rounds: int) -> int:
        """Return how far the prefix may grow before a stop rule is applied."""
        check = self.rule.next_check(rounds)
        return SEQ_MAX if check is None else check * self.spec.alternative_count

    def extend(self, trials: int) -> None:
        """Set a larger number of games for each alternative."""
        had = self.rule.goal.trials
        assert had is None or trials >= had, "trials are only added"
        self.rule = replace(self.rule, goal=replace(self.rule.goal, trials=trials))
        self.target = trials * self.spec.alternative_count
        self.fold.raise_limit(self.next_limit(self.fold.rounds))

    def correct(self, seq: int, values: ResultValues) -> None:
        """Fold everything anew with another result for one seq; rules are applied anew."""
        self.fold = self.fold.replaced(seq, values)
        self.fold.raise_limit(self.next_limit(0))
        self._requeue_unretired()

    def _requeue_unretired(self) -> None:
        """Put trials that are needed after all in the queue; some may be outstanding already."""
        if not self.staying:
            return
        self._note_staying()
        queued = {seq for piece in self.pieces for seq in range(piece.first, piece.end)}
        queued.update(self.resting)
        missing = [
            seq for seq in range(self.fold.folded, self.next_seq)
            if seq not in queued and not self.fold.has(seq)
        ]  # fmt: skip
        for _, run in groupby(enumerate(missing), lambda pair: pair[1] - pair[0]):
            seqs = [seq for _, seq in run]
            self.requeue(seqs[0], seqs[-1] + 1, None)
