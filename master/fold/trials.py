"""The fold of a job's trials: exact, in seq order, in whatever order results arrive.

The law: two folds that were given the same results, in any order, any number of times each and with
any number of snapshots and restores between, are equal, bit for bit. Values are multiples of 2**-32
and are summed as integers. Two results of one trial are equal when their values are equal as
numbers (0.0 and -0.0 are both nought times 2**-32).
"""

import json
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, TypeAlias

from master.fold.sums import SCALE, FoldSummary, Retirement, RoundSums, summarise, to_units

TrialValues: TypeAlias = tuple[float, ...]

VALUE_MAX = 1048576.0
"""2**20: a value times 2**32 is exact in a double (53 bits) below it."""

VALUE_LARGEST = VALUE_MAX - 1.0 / SCALE
SEQ_MAX = 1 << 40
"""More trials than any machine computes in a century."""


class FoldOutcome(Enum):
    """The fold's verdict on a result."""

    NEW = "new"
    DUPLICATE = "duplicate"  # the same values as the ones known: not added
    MISMATCH = "mismatch"  # other values than the ones known: not added
    NOT_NEEDED = "not needed"  # its alternative gets no more trials: not added


class BadValueError(ValueError):
    """A result's values are not ones a trial can have."""


class TrialFold:
    """The results of a job's trials, folded up to the first gap and held beyond it.

    `folded` is the length of the prefix; it never grows past `limit`, where a stop rule applies.
    An alternative may retire there: its later trials count as known and as folded, and are not.
    """

    __slots__ = ("_base", "_greatest", "_held", "_least", "_rows", "_sums", "folded", "limit")

    def __init__(
        self,
        alternative_count: int,
        value_count: int,
        ranking_value: int = -1,
        ranges: Sequence[tuple[float, float]] = (),
    ) -> None:
        """Start with no results.

        Args:
            alternative_count: seq s is a game of alternative s % alternative_count.
            value_count: values of a trial.
            ranking_value: index of the value that ranks alternatives.
            ranges: of each value the least and the greatest; empty: any below VALUE_MAX.
        """
        ranges = ranges or [(-VALUE_LARGEST, VALUE_LARGEST)] * value_count
        assert len(ranges) == value_count, "every value has a range"
        self._least = tuple(least for least, _ in ranges)
        self._greatest = tuple(greatest for _, greatest in ranges)
        self.folded = 0
        self.limit = SEQ_MAX
        self._base = 0  # first trial whose values are in _rows; below it only sums are known
        self._rows = array("d")  # values of the folded trials from _base on
        self._held: dict[int, TrialValues] = {}
        self._sums = RoundSums(alternative_count, value_count, ranking_value)

    @property
    def alternative_count(self) -> int:
        """Alternatives in a round."""
        return self._sums.alternative_count

    @property
    def value_count(self) -> int:
        """Values of a trial."""
        return self._sums.value_count

    @property
    def rounds(self) -> int:
        """Whole rounds folded."""
        return self.folded // self._sums.alternative_count

    @property
    def retired_count(self) -> int:
        """Alternatives that get no more trials."""
        return len(self._sums.retired)

    @property
    def result_count(self) -> int:
        """Results known that count."""
        passed = sum(self.rounds - each.rounds for each in self._sums.retired.values())
        tail = range(self.rounds * self.alternative_count, self.folded)
        passed += sum(self.is_retired(seq) for seq in tail) if self._sums.retired else 0
        return self.folded - passed + len(self._held)

    @property
    def held_count(self) -> int:
        """Results that wait for a gap to close, or for the limit to be raised."""
        return len(self._held)

    @property
    def known_end(self) -> int:
        """One more than the largest seq known; 0 when there is none."""
        return max(self._held) + 1 if self._held else self.folded

    def has(self, seq: int) -> bool:
        """Say whether the trial's result is known, or not needed."""
        if seq < self.folded or seq in self._held:
            return True
        return bool(self._sums.retired) and self.is_retired(seq)

    def is_retired(self, seq: int) -> bool:
        """Say whether a trial is not needed, since its alternative gets no more."""
        game, alternative = divmod(seq, self._sums.alternative_count)
        retired = self._sums.retired.get(alternative)
        return retired is not None and game >= retired.rounds

    def values_at(self, seq: int) -> TrialValues | None:
        """Return a known result; None when it is unknown, or known by its sums only."""
        if seq in self._held:
            return self._held[seq]
        if not self._base <= seq < self.folded or self.is_retired(seq):
            return None
        width = self._sums.value_count
        start = (seq - self._base) * width
        return tuple(self._rows[start : start + width])

    def add(self, seq: int, values: TrialValues) -> FoldOutcome:
        """Take one result in; raises BadValueError.

        A second result of a trial that is known by its sums only (below a restored snapshot) has
        nothing to be compared with, and counts as a DUPLICATE.
        """
        self.check((values,))
        assert 0 <= seq < SEQ_MAX, f"trial {seq} is out of range"
        if self._sums.retired and self.is_retired(seq):
            return FoldOutcome.NOT_NEEDED
        if not self.has(seq):
            self._held[seq] = values
            self._advance()
            return FoldOutcome.NEW
        known = self.values_at(seq)
        is_same = known is None or known == values
        return FoldOutcome.DUPLICATE if is_same else FoldOutcome.MISMATCH

    def add_run(self, first_seq: int, run: Sequence[TrialValues]) -> bool:
        """Take consecutive trials in if they are the next to fold; False: nothing was taken.

        The same as `add` of each, at a third of the cost. Raises BadValueError.
        """
        end = first_seq + len(run)
        if first_seq != self.folded or end > self.limit or self._held or self._sums.retired:
            return False
        self.check(run)
        extend = self._rows.extend
        for values in run:
            extend(values)
        self.folded = end
        return True

    def raise_limit(self, limit: int) -> None:
        """Let the prefix grow up to a larger number of trials."""
        assert limit >= self.folded, "trials are never unfolded"
        self.limit = limit
        self._advance()

    def retire(self, alternatives: Collection[int]) -> None:
        """Let alternatives have no more trials, at the end of a round where a rule applies."""
        sums = self._summed()
        assert self.folded == sums.rounds * sums.alternative_count == self.limit, "at a rule's look"
        sums.retire(alternatives)
        for seq in [seq for seq in self._held if self.is_retired(seq)]:
            del self._held[seq]

    def _advance(self) -> None:
        held, folded, has_retired = self._held, self.folded, bool(self._sums.retired)
        nothing = (0.0,) * self._sums.value_count
        while folded < self.limit:
            if folded in held:
                self._rows.extend(held.pop(folded))
            elif has_retired and self.is_retired(folded):
                self._rows.extend(nothing)
            else:
                break
            folded += 1
        self.folded = folded

    def check(self, run: Iterable[TrialValues]) -> None:
        """Raise BadValueError unless every trial has its values, each in its range."""
        least, greatest = self._least, self._greatest
        width = len(least)
        for values in run:
            if len(values) != width:
                raise BadValueError(f"{len(values)} values where a trial has {width}")
            # x % 1.0 is true for a fraction, for infinities (nan) and for nan.
            for x, low, high in zip(values, least, greatest, strict=True):
                if x * SCALE % 1.0 or not low <= x <= high:
                    raise BadValueError(_refusal(x, low, high))

    def results(self) -> Iterator[tuple[int, TrialValues]]:
        """Yield (seq, values) of every result whose values are known, folded ones first."""
        for seq in range(self._base, self.folded):
            values = self.values_at(seq)
            if values is not None:
                yield seq, values
        yield from sorted(self._held.items())

    def withdraw(self, ranges: Sequence[tuple[int, int]]) -> None:
        """Take known results out, trials first .. end - 1 of each range.

        Results after the first of them are held from then on, and alternatives that retired after
        it are back. The cost is that of the results folded after it.
        """
        assert self._base == 0, "a fold of sums cannot be taken apart"
        self._unfold(min(first for first, _ in ranges))
        for first, end in ranges:
            for seq in range(first, end):
                self._held.pop(seq, None)  # of one that had retired nothing is held

    def _unfold(self, end: int) -> None:
        """Shorten the prefix; its trials are held instead."""
        if end >= self.folded:
            return
        sums, width = self._sums, self._sums.value_count
        known = [(seq, self.values_at(seq)) for seq in range(end, self.folded)]
        self._held.update((seq, values) for seq, values in known if values is not None)
        rounds = end // sums.alternative_count
        while (last := max(sums.lasts(), default=0)) > rounds:
            self._take_off(last)
            sums.bring_back(last)
        self._take_off(rounds)
        del self._rows[end * width :]
        self.folded = end

    def _take_off(self, rounds: int) -> None:
        sums, size = self._sums, self._sums.round_size
        if rounds < sums.rounds:
            sums.add(self._rows[rounds * size : sums.rounds * size], sign=-1)

    def replaced(self, seq: int, values: TrialValues) -> "TrialFold":
        """Return a fold, with no limit yet folded to, of the same results but for one."""
        assert self._base == 0, "a fold of sums cannot be taken apart"
        sums = self._sums
        ranges = tuple(zip(self._least, self._greatest, strict=True))
        fold = TrialFold(sums.alternative_count, sums.value_count, sums.ranking_value, ranges)
        fold.limit = 0
        for known_seq, known in self.results():
            fold.add(known_seq, values if known_seq == seq else known)
        return fold

    def _summed(self) -> RoundSums:
        """Bring the sums up to the last whole round and return them."""
        sums = self._sums
        if self.rounds > sums.rounds:
            size = sums.round_size
            done = sums.rounds * size - self._base * sums.value_count
            sums.add(self._rows[done : done + (self.rounds - sums.rounds) * size])
        return sums

    @property
    def is_counted(self) -> bool:
        """Whether there are quantiles; not so behind a snapshot of an older version."""
        return bool(self._sums.counts)

    def summary(self, *, has_quantiles: bool = False) -> FoldSummary:
        """Return the statistics of the whole rounds folded so far; see summarise."""
        return summarise(self._summed(), has_quantiles=has_quantiles)

    def snapshot(self) -> str:
        """Return the fold's whole state as one canonical line of ASCII: equal folds, equal text.

        Values of trials in whole folded rounds are kept as sums only. The limit is part of it.
        """
        sums = self._summed()
        tail = [self.values_at(s) for s in range(self.rounds * self.alternative_count, self.folded)]
        state: dict[str, object]
        state = {
            "alternatives": sums.alternative_count,
            "values": sums.value_count,
            "ranking": sums.ranking_value,
            "rounds": sums.rounds,
            "limit": self.limit,
            "sums": sums.sums,
            "squares": sums.squares,
            "products": sums.products,
            "counts": [sorted(counts.items()) for counts in sums.counts],
            "tail": [to_units(values or ()) for values in tail],
            "held": [[seq, *to_units(values)] for seq, values in sorted(self._held.items())],
        }
        if sums.retired:
            state["retired"] = [
                [alternative, each.rounds, each.sums, each.squares]
                for alternative, each in sorted(sums.retired.items())
            ]
        return "fold/1 " + json.dumps(state, separators=(",", ":"))

    @staticmethod
    def restore(text: str) -> "TrialFold":
        """Return the fold a snapshot was taken of; ValueError when the text is none."""
        version, _, state_text = text.partition(" ")
        if version != "fold/1":
            raise ValueError(f"no snapshot of a fold: {text[:40]!r}")
        try:
            return _restored(json.loads(state_text))
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"a damaged snapshot of a fold: {error!r}") from error


def _refusal(x: float, low: float, high: float) -> str:
    if not low <= x <= high:
        return f"{x!r} where a value from {low!r} to {high!r} is due"
    return f"{x!r} is no multiple of 2**-32"


def _restored(state: Any) -> TrialFold:
    fold = TrialFold(state["alternatives"], state["values"], state["ranking"])
    sums = fold._sums
    for kept, given in (
        (sums.sums, state["sums"]),
        (sums.squares, state["squares"]),
        (sums.products, state["products"]),
    ):
        if len(kept) != len(given):
            raise ValueError("a damaged snapshot of a fold: sums of another shape")
        kept[:] = map(int, given)
    counts = state.get("counts", [])  # an older version kept none
    if len(counts) not in (0, sums.alternative_count):
        raise ValueError("a damaged snapshot of a fold: counts of another shape")
    sums.counts = [Counter({int(key): int(count) for key, count in each}) for each in counts]
    sums.rounds, fold.limit = state["rounds"], state["limit"]
    for alternative, rounds, kept_sums, squares in state.get("retired", []):
        retired = Retirement(int(rounds), list(map(int, kept_sums)), list(map(int, squares)))
        sums.retired[int(alternative)] = retired
    fold._base = fold.folded = sums.rounds * sums.alternative_count
    for offset, units in enumerate(state["tail"]):
        if units:
            fold.add(fold._base + offset, tuple(unit / SCALE for unit in units))
    fold._advance()
    for seq, *units in state["held"]:
        fold.add(seq, tuple(unit / SCALE for unit in units))
    return fold
