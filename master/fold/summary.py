"""Statistics of folded trials: means, standard errors and quantiles, from exact integers.

Bit-exact: a mean is the correctly rounded quotient of two integers, a standard error the correctly
rounded square root (IEEE sqrt) of such a quotient.
"""

from dataclasses import dataclass, replace

from engine_ext.exact_means import mean, std_error
from master.contract.views import AlternativeSummary
from master.fold.sums import RoundSums, quantiles


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
