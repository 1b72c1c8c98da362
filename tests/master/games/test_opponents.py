"""The noise of levels, and the results of games between them."""

from __future__ import annotations

from math import inf, isclose
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.opponents import LEVELS, SEED_MAX, duel_of, noise
from master.games.table import fronts

seeds = st.integers(0, SEED_MAX)
numbers = st.integers(0, 10_000)


@given(seeds, numbers, numbers, st.integers(1, 10_000))
def test_noise_depends_on_its_arguments_alone(
    seed: int, decision: int, move: int, deviation: int
) -> None:
    heard = noise(seed, decision, move, deviation)
    assert noise(seed, decision, move, deviation) == heard
    assert abs(heard) <= 3.5 * deviation
    assert noise(seed, decision, move, 0) == 0


@pytest.mark.parametrize("deviation", [30, 1_000, 300_000])
def test_noise_has_its_deviation_and_no_bias(deviation: int) -> None:
    drawn = [noise(7, decision, move, deviation) for decision in range(60) for move in range(60)]
    assert abs(fmean(drawn)) < deviation / 15
    assert isclose(pstdev(drawn), deviation, rel_tol=0.04)
    assert len(set(drawn)) > min(deviation, 1_000)


def test_each_decision_move_and_seed_has_noise_of_its_own() -> None:
    million = 1_000_000
    heard = {noise(seed, decision, move, million)
             for seed in range(5) for decision in range(5) for move in range(5)}  # fmt: skip
    assert len(heard) == 125


results = st.lists(st.tuples(*2 * [st.sampled_from([0.0, 0.5, 1.0])]), min_size=1, max_size=40)


@given(results)
def test_a_duel_is_seen_alike_from_both_sides(pairs: list[tuple[float, float]]) -> None:
    own = duel_of(pairs)
    other = duel_of([(1 - first, 1 - second) for first, second in pairs])
    assert isclose(own.mean, 1 - other.mean)
    assert isclose(own.std_error, other.std_error, abs_tol=1e-12)
    assert isclose(own.elo[0], -other.elo[0], abs_tol=1e-6) or own.elo[0] == -other.elo[0]
    assert own.elo[1] <= own.elo[0] <= own.elo[2]


def test_elo_of_known_scores() -> None:
    assert duel_of([(1.0, 0.0)]).elo == (0, 0, 0)
    assert round(duel_of([(0.0, 0.0), (1.0, 1.0), (0.0, 0.0), (0.0, 1.0)]).elo[0]) == -89
    assert duel_of([(0.0, 0.0)]).elo == (-inf, -inf, -inf)


def test_every_game_with_opponents_has_all_levels_and_only_the_strongest_is_without_noise() -> None:
    known = {name: front.level_games() for name, front in fronts() if front.level_games}
    assert set(known) == {"backgammon", "chess", "othello"}
    for games in known.values():
        assert tuple(games.opponents) == LEVELS
        texts = [strength.text for strength in games.opponents.values()]
        assert len(set(texts)) == len(texts)
        assert ["noise" in text for text in texts] == [True] * (len(LEVELS) - 1) + [False]
