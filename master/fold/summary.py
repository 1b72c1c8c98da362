"""Statistics of folded trials: means and standard errors, from exact integer sums.

Knows sums; must not know where they came from. Bit-exact: a mean is the correctly rounded quotient
of two integers, a standard error the correctly rounded root of a correctly rounded quotient.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AlternativeSummary:
    """One alternative's statistics.

    Args:
        trials: games folded; the same for every alternative.
        means: mean of each value.
        std_errors: standard error of each mean; None from a single trial.
        diff_to_best: mean ranking value minus the best alternative's; 0.0 for the best itself.
        diff_std_error: standard error of that difference, from games paired by their dice.
    """

    trials: int
    means: tuple[float, ...]
    std_errors: tuple[float | None, ...]
    diff_to_best: float
    diff_std_error: float | None


@dataclass(frozen=True, slots=True)
class FoldSummary:
    """All alternatives' statistics over whole rounds (game g of every alternative).

    Args:
        rounds: whole rounds folded.
        best: index of the best alternative, by mean ranking value, the first of equals.
        alternatives: in their order; empty when no round is whole yet.
    """

    rounds: int
    best: int
    alternatives: tuple[AlternativeSummary, ...]
