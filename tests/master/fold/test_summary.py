import random
from array import array
from math import isclose, sqrt
from statistics import mean as mean_of
from statistics import stdev

from master.fold.summary import summarise
from master.fold.sums import RoundSums


def summed(games: list[list[float]]) -> RoundSums:
    sums = RoundSums(alternative_count=len(games[0]), value_count=1, ranking_value=0)
    sums.add(array("d", [x for game in games for x in game]))
    return sums


def dyadic(rng: random.Random) -> float:
    return rng.randrange(-(3 << 32), 3 << 32) / 2**32


def test_no_rounds_give_no_alternatives() -> None:
    assert summarise(RoundSums(3, 2, -1)).alternatives == ()


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
