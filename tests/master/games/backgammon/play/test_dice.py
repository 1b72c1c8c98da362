"""Laws of master.games.backgammon.play.dice."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from master.games.backgammon.play.dice import SEED_MAX, seeded_roll

CHI_SQUARE_35_MAX = 69.3  # 99.95 % of the chi-square distribution with 35 degrees of freedom
CHI_SQUARE_29_MAX = 60.7  # with 29


@given(st.integers(0, SEED_MAX), st.integers(0, 100), st.integers(0, 1000))
def test_a_roll_depends_on_seed_game_and_number_alone(seed: int, game: int, number: int) -> None:
    roll = seeded_roll(seed, game, number)
    assert roll == seeded_roll(seed, game, number)
    assert all(1 <= die <= 6 for die in roll)


def test_all_36_rolls_are_equally_frequent() -> None:
    count = 7200
    seen = Counter(seeded_roll(7, game, number) for game in range(20) for number in range(1, 361))
    assert len(seen) == 36
    assert sum((n - count / 36) ** 2 for n in seen.values()) / (count / 36) < CHI_SQUARE_35_MAX


def test_the_first_roll_is_never_a_double_and_favours_nobody() -> None:
    count = 3000
    seen = Counter(seeded_roll(seed, 0, 0) for seed in range(count))
    assert all(first != second for first, second in seen)
    assert len(seen) == 30
    assert sum((n - count / 30) ** 2 for n in seen.values()) / (count / 30) < CHI_SQUARE_29_MAX


def test_neighbouring_seeds_games_and_numbers_roll_apart() -> None:
    def rolls(seed: int, game: int) -> list[tuple[int, int]]:
        return [seeded_roll(seed, game, number) for number in range(1, 40)]

    assert rolls(1, 0) != rolls(2, 0)
    assert rolls(1, 0) != rolls(1, 1)
    assert seeded_roll(1, 11, 1) != seeded_roll(1, 1, 11) or rolls(1, 11) != rolls(11, 1)
