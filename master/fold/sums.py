"""Exact sums over whole rounds of trials, and the statistics that follow from them.

Sums are integers: trial values times 2**32, and counts of values. A value counts as rounded to
SIGNIFICANT_BITS, ties away from nought: whole numbers up to 512 as themselves, others within 0.2 %.
So a job of any length has some thousand counts. Bit-exact: a mean is the correctly rounded quotient
of two integers, a standard error the correctly rounded square root (IEEE sqrt) of such a quotient.
"""

import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import mul

from engine_ext.exact_means import mean, std_error
from master.contract.views import AlternativeSummary

SIGNIFICANT_BITS = 9
"""More bits would be noise: of 10,000 trials a median is seldom known to 1 %."""

QUANTILE_STEPS = 20
"""Quantiles are those of every 5 %, from the least value to the greatest."""

_DROPPED_BITS = 53 - SIGNIFICANT_BITS
"""Of the last bits of a double: one bit of its 53 is not written down."""

_HALF = 1 << (_DROPPED_BITS - 1)
_MINUS_NOUGHT = 1 << (63 - _DROPPED_BITS)


def counts_of(values: "array[float]") -> Counter[int]:
    """Return how many of the values are the same when rounded, by the first bits of their doubles.

    Source: IEEE 754, binary64; a carry out of the mantissa raises the exponent.
    """
    bits = memoryview(values).cast("B").cast("Q")
    counts = Counter([(each + _HALF) >> _DROPPED_BITS for each in bits])
    if _MINUS_NOUGHT in counts:
        counts[0] += counts.pop(_MINUS_NOUGHT)
    return counts


def value_of(key: int) -> float:
    """Return the rounded value of a key of `counts_of`."""
    (value,) = struct.unpack("<d", struct.pack("<Q", key << _DROPPED_BITS))
    return float(value)


def quantiles(counts: Mapping[int, int]) -> tuple[float, ...]:
    """Return the QUANTILE_STEPS + 1 quantiles of rounded values; none of no value.

    That of a share is the least value which so large a share of the values does not exceed.
    """
    total = sum(counts.values())
    found: list[float] = []
    passed = 0
    for value, count in sorted((value_of(key), count) for key, count in counts.items()):
        passed += count
        while len(found) <= QUANTILE_STEPS and _rank(len(found), total) <= passed:
            found.append(value)
    return tuple(found)


def _rank(step: int, total: int) -> int:
    """Return which of the values, counted from 1 and the least, is a step's quantile."""
    return max(1, -(-step * total // QUANTILE_STEPS))


SCALE = 4294967296.0
"""2**32: values are multiples of its inverse."""

SCALE_BITS = 32
ROUNDS_AT_ONCE_MAX = 4096
"""Bounds the integer columns held in memory while rounds are added."""


def to_units(values: Sequence[float]) -> list[int]:
    """Return the values as whole multiples of 2**-32."""
    return [int(x * SCALE) for x in values]


@dataclass(slots=True)
class Retirement:
    """The sums with which a retired alternative, which gets no more trials, is compared.

    Args:
        rounds: after which it got none.
        sums: of every alternative's ranking value over these rounds.
        squares: of its square.
    """

    rounds: int
    sums: list[int]
    squares: list[int]


@dataclass(slots=True)
class RoundSums:
    """Sums over rounds; a round is one trial of every alternative, on common dice.

    Values in the places of retired alternatives are passed over.

    Args:
        alternative_count: alternatives in a round.
        value_count: values of a trial.
        ranking_value: index of the value whose products between alternatives are kept.
        rounds: rounds added.
        sums: of each value, alternative by alternative, in units of 2**-32.
        squares: of each value's square, in units of 2**-64.
        products: of the ranking values of each pair of alternatives (0,1), (0,2), ... (1,2), ...
        counts: of each alternative's rounded ranking values (see counts_of); empty: not known,
            since an older version began the sums.
        retired: by alternative, those that get no more trials.
    """

    alternative_count: int
    value_count: int
    ranking_value: int
    rounds: int = 0
    sums: list[int] = field(default_factory=list)
    squares: list[int] = field(default_factory=list)
    products: list[int] = field(default_factory=list)
    counts: list[Counter[int]] = field(default_factory=list)
    retired: dict[int, Retirement] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start every sum that was not given at nought."""
        count = self.alternative_count
        self.ranking_value %= self.value_count
        self.sums = self.sums or [0] * (count * self.value_count)
        self.squares = self.squares or [0] * (count * self.value_count)
        self.products = self.products or [0] * (count * (count - 1) // 2)
        self.counts = self.counts or [Counter() for _ in range(count)]

    @property
    def round_size(self) -> int:
        """Values in a round."""
        return self.alternative_count * self.value_count

    def product(self, one: int, other: int) -> int:
        """Return the sum of products of two different alternatives' ranking values."""
        low, high = min(one, other), max(one, other)
        return self.products[low * (2 * self.alternative_count - low - 1) // 2 + (high - low - 1)]

    def rounds_of(self, alternative: int) -> int:
        """Return the rounds that an alternative had trials in."""
        retired = self.retired.get(alternative)
        return self.rounds if retired is None else retired.rounds

    def ranking(self, alternative: int) -> tuple[list[int], list[int]]:
        """Return the sums and squares of all ranking values over an alternative's rounds."""
        retired = self.retired.get(alternative)
        if retired is not None:
            return retired.sums, retired.squares
        each = slice(self.ranking_value, None, self.value_count)
        return self.sums[each], self.squares[each]

    def retire(self, alternatives: Iterable[int]) -> None:
        """Give alternatives no more trials than they have."""
        sums, squares = self.ranking(next(iter(self.staying)))
        for alternative in alternatives:
            assert alternative not in self.retired, "nothing retires twice"
            self.retired[alternative] = Retirement(self.rounds, sums, squares)

    def lasts(self) -> set[int]:
        """Return the numbers of rounds after which alternatives retired."""
        return {each.rounds for each in self.retired.values()}

    def bring_back(self, rounds: int) -> None:
        """Bring back alternatives that retired at this number of rounds, the number now."""
        assert rounds == self.rounds, "their sums are of so many rounds"
        self.retired = {
            alternative: each for alternative, each in self.retired.items() if each.rounds != rounds
        }

    @property
    def staying(self) -> list[int]:
        """Alternatives that have not retired."""
        return [each for each in range(self.alternative_count) if each not in self.retired]

    def add(self, rows: "array[float]", sign: int = 1) -> None:
        """Add whole rounds, laid out trial after trial; with sign -1, take them off again."""
        size = self.round_size
        assert len(rows) % size == 0, "only whole rounds are added"
        step = ROUNDS_AT_ONCE_MAX * size
        for start in range(0, len(rows), step):
            self._add_columns(rows[start : start + step], sign)

    def _add_columns(self, rows: "array[float]", sign: int) -> None:
        size = self.round_size
        ranking: list[list[int]] = []
        self._count(rows, sign)
        for index in range(size):
            if index // self.value_count in self.retired:
                if index % self.value_count == self.ranking_value:
                    ranking.append([])
                continue
            column = to_units(rows[index::size])
            self.sums[index] += sign * sum(column)
            self.squares[index] += sign * sum(map(mul, column, column))
            if index % self.value_count == self.ranking_value:
                ranking.append(column)
        position = 0
        for low, column in enumerate(ranking):
            for other in ranking[low + 1 :]:
                self.products[position] += sign * sum(map(mul, column, other))
                position += 1
        self.rounds += sign * (len(rows) // size)

    def _count(self, rows: "array[float]", sign: int) -> None:
        """Count the ranking values; equal sums have equal counts, none of them nought."""
        for index, counts in enumerate(self.counts):
            if index in self.retired:
                continue
            start = index * self.value_count + self.ranking_value
            found = counts_of(rows[start :: self.round_size])
            if sign > 0:
                counts.update(found)
            else:
                self.counts[index] = counts - found


@dataclass(frozen=True, slots=True)
class FoldSummary:
    """All alternatives' statistics over whole rounds (game g of every alternative).

    Args:
        rounds: whole rounds folded.
        best: index of the best alternative that gets trials, by mean ranking value, the first of
            equals.
        ranking_value: index of the value that ranks.
        alternatives: in their order; empty when no round is whole yet.
        staying: indices of those that get trials.
    """

    rounds: int
    best: int
    ranking_value: int
    alternatives: tuple[AlternativeSummary, ...]
    staying: tuple[int, ...]


def summarise(sums: RoundSums, *, has_quantiles: bool = False) -> FoldSummary:
    """Return the statistics of the rounds summed.

    `has_quantiles` asks for quantiles, which cost more than all else and which no rule uses.
    """
    width = sums.value_count
    staying = tuple(sums.staying)
    if not sums.rounds:
        return FoldSummary(0, 0, sums.ranking_value, (), staying)
    ranking = sums.sums[sums.ranking_value :: width]
    best = max(staying, key=lambda each: (ranking[each], -each))
    alternatives = tuple(_alternative(sums, a, best) for a in range(sums.alternative_count))
    if has_quantiles and sums.counts:
        pairs = zip(alternatives, sums.counts, strict=True)
        alternatives = tuple(replace(one, quantiles=quantiles(counts)) for one, counts in pairs)
    return FoldSummary(sums.rounds, best, sums.ranking_value, alternatives, staying)


def _alternative(sums: RoundSums, index: int, best: int) -> AlternativeSummary:
    count, width = sums.rounds_of(index), sums.value_count
    totals = sums.sums[index * width : (index + 1) * width]
    squares = sums.squares[index * width : (index + 1) * width]
    difference, error = _difference(sums, index, best)
    return AlternativeSummary(
        trials=count,
        means=tuple(mean(total, count) for total in totals),
        std_errors=tuple(
            std_error(total, square, count) for total, square in zip(totals, squares, strict=True)
        ),
        diff_to_best=difference,
        diff_std_error=error,
    )


def _difference(sums: RoundSums, one: int, other: int) -> tuple[float, float | None]:
    """Return the mean of (one - other) of the games that one had, and its standard error."""
    count = sums.rounds_of(one)
    if one == other:
        return 0.0, 0.0 if count > 1 else None
    totals, all_squares = sums.ranking(one)
    total = totals[one] - totals[other]
    squares = all_squares[one] + all_squares[other] - 2 * sums.product(one, other)
    return mean(total, count), std_error(total, squares, count)
