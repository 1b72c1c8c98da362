"""Exact sums, the spread of values, their statistics, and the stop rules that use them."""

import math
import random
from array import array
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import isclose, sqrt
from statistics import mean as mean_of
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.commands import StoppedBy
from master.contract.goals import Goal
from master.contract.views import AlternativeSummary
from master.fold.stop_rule import StopRule
from master.fold.sums import (
    QUANTILE_STEPS,
    FoldSummary,
    RoundSums,
    counts_of,
    quantiles,
    summarise,
    to_units,
    value_of,
)

UNIT = 2.0**-32


def test_units_of_the_smallest_and_largest_values_are_exact() -> None:
    assert to_units((UNIT, -UNIT, 0.0, 1048575.5)) == [1, -1, 0, 1048575 * 2**32 + 2**31]


def test_sums_of_two_rounds_equal_those_done_by_fractions() -> None:
    rows = [0.5, UNIT, -3.25, 7 * UNIT, 1.0, 2.0, 0.75, -2 * UNIT]
    sums = RoundSums(alternative_count=2, value_count=2, ranking_value=-1)
    sums.add(array("d", rows))
    exact = [Fraction(x) * 2**32 for x in rows]
    assert sums.rounds == 2
    assert sums.sums == [exact[i] + exact[i + 4] for i in range(4)]
    assert sums.squares == [exact[i] ** 2 + exact[i + 4] ** 2 for i in range(4)]
    assert sums.products == [exact[1] * exact[3] + exact[5] * exact[7]]


def test_product_of_a_pair_is_found_in_either_order() -> None:
    sums = RoundSums(alternative_count=4, value_count=1, ranking_value=0)
    sums.add(array("d", [1.0, 2.0, 3.0, 5.0]))
    scale = 2**64
    for one in range(4):
        for other in range(4):
            if one != other:
                expected = (1, 2, 3, 5)[one] * (1, 2, 3, 5)[other] * scale
                assert sums.product(one, other) == expected


def test_counts_are_of_the_ranking_values_and_taken_off_again() -> None:
    sums = RoundSums(alternative_count=2, value_count=2, ranking_value=-1)
    rows = array("d", [9.0, 1.0, 9.0, 2.0, 9.0, 1.0, 9.0, 3.0])
    sums.add(rows)
    assert [sorted(counts.values()) for counts in sums.counts] == [[2], [1, 1]]
    assert [value_of(key) for counts in sums.counts for key in sorted(counts)] == [1.0, 2.0, 3.0]
    sums.add(rows[4:], sign=-1)
    assert [dict(counts) for counts in sums.counts] == [
        dict(counts_of(array("d", [value]))) for value in (1.0, 2.0)
    ]


def test_half_a_round_is_refused() -> None:
    with pytest.raises(AssertionError, match="whole rounds"):
        RoundSums(2, 1, 0).add(array("d", [1.0]))


values = st.integers(-(2**52) + 1, 2**52 - 1).map(lambda units: units / 2**32)


@given(values)
def test_value_counts_within_a_512th_of_itself(value: float) -> None:
    (key,) = counts_of(array("d", [value]))
    assert abs(value_of(key) - value) <= abs(value) / 512


@given(st.integers(-512, 512), st.integers(-32, 10))
def test_number_of_nine_bits_counts_as_itself(number: int, power: int) -> None:
    value = math.ldexp(number, power)
    assert [value_of(key) for key in counts_of(array("d", [value]))] == [value]


def test_tie_is_rounded_away_from_nought_and_both_noughts_are_one() -> None:
    counts = counts_of(array("d", [513.0, -513.0, 1023.0, 0.0, -0.0]))
    assert {value_of(key): n for key, n in counts.items()} == {514: 1, -514: 1, 1024: 1, 0: 2}


@given(st.lists(values, min_size=1, max_size=50), st.lists(values, max_size=50))
def test_counts_of_parts_add_up(one: list[float], other: list[float]) -> None:
    whole = counts_of(array("d", one + other))
    assert counts_of(array("d", one)) + counts_of(array("d", other)) == whole
    assert sum(whole.values()) == len(one + other)


@given(st.lists(st.integers(-512, 512), min_size=1, max_size=99))
def test_quantile_of_a_share_is_the_least_that_so_many_do_not_exceed(numbers: list[int]) -> None:
    found = quantiles(counts_of(array("d", numbers)))
    assert len(found) == QUANTILE_STEPS + 1
    assert (found[0], found[-1]) == (min(numbers), max(numbers))
    for step, value in enumerate(found):
        share = step * len(numbers)
        assert QUANTILE_STEPS * sum(number <= value for number in numbers) >= share
        if step:
            assert QUANTILE_STEPS * sum(number < value for number in numbers) < share


@pytest.mark.parametrize(
    ("numbers", "median"), [([4], 4), ([1, 2], 1), ([1, 2, 3], 2), ([7, 1, 3, 5], 3)]
)
def test_median_is_the_lower_of_two(numbers: list[int], median: int) -> None:
    assert quantiles(counts_of(array("d", numbers)))[QUANTILE_STEPS // 2] == median


def test_nothing_has_no_quantiles() -> None:
    assert quantiles(Counter()) == ()


def summed(games: list[list[float]]) -> RoundSums:
    sums = RoundSums(alternative_count=len(games[0]), value_count=1, ranking_value=0)
    sums.add(array("d", [x for game in games for x in game]))
    return sums


def dyadic(rng: random.Random) -> float:
    return rng.randrange(-(3 << 32), 3 << 32) / 2**32


def test_no_rounds_give_no_alternatives() -> None:
    assert summarise(RoundSums(3, 2, -1)) == FoldSummary(0, 0, 1, (), (0, 1, 2))


def test_one_round_has_means_but_no_standard_errors() -> None:
    summary = summarise(summed([[0.25, 0.5]]))
    assert [a.means for a in summary.alternatives] == [(0.25,), (0.5,)]
    assert [a.std_errors for a in summary.alternatives] == [(None,), (None,)]
    assert summary.best == 1
    assert summary.alternatives[0].diff_to_best == -0.25
    assert summary.alternatives[0].diff_std_error is None


def test_means_and_errors_agree_with_the_textbook() -> None:
    rng = random.Random(1)
    games = [[dyadic(rng), dyadic(rng), dyadic(rng)] for _ in range(50)]
    summary = summarise(summed(games))
    best = max(range(3), key=lambda a: mean_of([game[a] for game in games]))
    assert summary.best == best
    for a, alternative in enumerate(summary.alternatives):
        column = [game[a] for game in games]
        differences = [game[a] - game[best] for game in games]
        assert isclose(alternative.means[0], mean_of(column), rel_tol=1e-12)
        error = alternative.std_errors[0]
        assert error is not None
        assert isclose(error, stdev(column) / sqrt(50), rel_tol=1e-12)
        assert isclose(alternative.diff_to_best, mean_of(differences), abs_tol=1e-12)
        paired = alternative.diff_std_error
        assert paired is not None
        if a != best:
            assert isclose(paired, stdev(differences) / sqrt(50), rel_tol=1e-12)
    assert summary.alternatives[best].diff_std_error == 0.0


def test_equal_alternatives_are_tied_in_their_order() -> None:
    assert summarise(summed([[0.5, 1.0, 1.0]])).best == 1


def test_quantiles_are_there_when_asked_for() -> None:
    sums = summed([[float(game), -float(game)] for game in range(1, 101)])
    assert [a.quantiles for a in summarise(sums).alternatives] == [(), ()]
    one, other = (a.quantiles for a in summarise(sums, has_quantiles=True).alternatives)
    assert one == (1.0, *(float(share) for share in range(5, 101, 5)))
    assert other == (-100.0, *(float(share - 101) for share in range(5, 101, 5)))


def test_retired_alternative_is_compared_by_the_games_that_it_had() -> None:
    rng = random.Random(3)
    games = [[dyadic(rng), dyadic(rng), dyadic(rng)] for _ in range(60)]
    sums = summed(games[:20])
    sums.retire([1])
    sums.add(array("d", [x for game in games[20:] for x in game]))
    summary = summarise(sums)
    assert summary.staying == (0, 2)
    best = max((0, 2), key=lambda a: mean_of([game[a] for game in games]))
    assert summary.best == best
    assert [each.trials for each in summary.alternatives] == [60, 20, 60]
    retired = summary.alternatives[1]
    differences = [game[1] - game[best] for game in games[:20]]
    assert isclose(retired.means[0], mean_of([game[1] for game in games[:20]]), rel_tol=1e-12)
    assert isclose(retired.diff_to_best, mean_of(differences), abs_tol=1e-12)
    assert retired.diff_std_error is not None
    assert isclose(retired.diff_std_error, stdev(differences) / sqrt(20), rel_tol=1e-12)


def test_best_is_one_that_gets_trials() -> None:
    sums = summed([[0.5, 1.0]])
    sums.retire([1])
    sums.add(array("d", [0.25, 0.0]))
    assert summarise(sums).best == 0


def summary(rounds: int, *errors: float | None) -> FoldSummary:
    alternatives = tuple(
        AlternativeSummary(rounds, (0.0,), (error,), 0.0, None) for error in errors
    )
    return FoldSummary(rounds, 0, 0, alternatives, tuple(range(len(errors))))


@pytest.mark.parametrize(
    ("trials", "stop_se", "rounds", "check"),
    [
        (1296, None, 0, 1296),
        (None, 0.01, 0, 144),
        (None, 0.01, 143, 144),
        (None, 0.01, 144, 180),
        (None, 0.01, 181, 216),
        (100, 0.01, 0, 100),
        (150, 0.01, 144, 150),
    ],
)
def test_checks_lie_on_the_stated_grid(
    trials: int | None, stop_se: float | None, rounds: int, check: int
) -> None:
    assert StopRule(Goal(trials, stop_se)).next_check(rounds) == check


def test_every_alternative_must_be_sure_enough() -> None:
    rule = StopRule(Goal(None, 0.01))
    assert rule.verdict(summary(144, 0.01, 0.009)) is StoppedBy.STOP_SE
    assert rule.verdict(summary(144, 0.011, 0.009)) is None


def test_too_few_games_are_never_sure_enough() -> None:
    assert StopRule(Goal(None, 0.01)).verdict(summary(108, 0.0)) is None


def test_trials_asked_for_end_the_job_whatever_the_error() -> None:
    assert StopRule(Goal(200, 0.01)).verdict(summary(200, 0.001)) is StoppedBy.TRIALS
    assert StopRule(Goal(1)).verdict(summary(1, None)) is StoppedBy.TRIALS


def compared(
    rounds: int, *means: float, lead_error: float = 0.01, staying: tuple[int, ...] = ()
) -> FoldSummary:
    """Return a summary of alternatives whose leads have all the same standard error."""
    best = means.index(max(means))
    alternatives = tuple(
        AlternativeSummary(rounds, (mean,), (0.01,), mean - means[best], lead_error)
        for mean in means
    )
    return FoldSummary(rounds, best, 0, alternatives, staying or tuple(range(len(means))))


def test_who_trails_by_enough_gets_no_more_trials() -> None:
    rule = StopRule(Goal(1296, stop_settled=2.0))
    summary = compared(144, 0.5, 0.47, 0.485)
    assert rule.verdict(summary) is None
    assert rule.beaten(summary) == [1]


def test_job_is_settled_when_one_alternative_is_left() -> None:
    rule = StopRule(Goal(1296, stop_settled=2.0))
    assert rule.verdict(compared(144, 0.5, 0.47, 0.48)) is StoppedBy.SETTLED
    assert rule.verdict(compared(144, 0.5, 0.47, 0.49, staying=(0, 1))) is StoppedBy.SETTLED
    assert rule.verdict(compared(108, 0.5, 0.0)) is None
    assert rule.beaten(compared(108, 0.5, 0.0)) == []


def test_equal_trials_of_equal_alternatives_are_settled() -> None:
    rule = StopRule(Goal(1296, stop_settled=2.0))
    assert rule.verdict(compared(144, 0.5, 0.5, lead_error=0.0)) is StoppedBy.SETTLED


@pytest.mark.parametrize(
    ("no_double", "double_take", "verdict", "beaten"),
    [
        (0.70, 0.80, StoppedBy.SETTLED, [0]),  # double, take
        (0.70, 0.69, None, []),  # close: double or not
        (0.70, 0.995, None, [0]),  # double, and perhaps a pass
        (0.90, 1.20, StoppedBy.SETTLED, [0]),  # double, pass
        (0.99, 1.20, None, []),  # a pass; too good, or not
        (1.05, 1.20, StoppedBy.SETTLED, [1]),  # too good
        (0.90, 0.40, StoppedBy.SETTLED, [1]),  # no double
    ],
)
def test_double_is_settled_with_its_answer(
    no_double: float, double_take: float, verdict: StoppedBy | None, beaten: list[int]
) -> None:
    rule = StopRule(Goal(1296, stop_settled=2.0), (None, 1.0))
    summary = compared(144, no_double, double_take)
    assert (rule.verdict(summary), rule.beaten(summary)) == (verdict, beaten)


def test_standard_error_is_asked_of_those_that_stay() -> None:
    rule = StopRule(Goal(None, 0.01, stop_settled=9.0))
    wide = summary(144, 0.009, 0.02)
    assert rule.verdict(wide) is None
    assert rule.verdict(replace(wide, staying=(0,))) is StoppedBy.STOP_SE
