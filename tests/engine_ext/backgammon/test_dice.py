"""Dice are a pure function, fair, and stratified by exact laws."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.dice import roll_dice

ROLLS = set(product(range(1, 7), repeat=2))
OPENING_ROLLS = {(a, b) for a, b in ROLLS if a != b}
STRATIFIED_TURNS = 6
seeds = st.integers(0, 2**63 - 1)
games = st.integers(0, 2**63 - 1)
turns = st.integers(0, 1000)


@given(seeds, games, turns, st.booleans(), st.booleans())
def test_a_roll_is_two_dice_and_always_the_same(
    seed: int, game: int, turn: int, is_stratified: bool, is_opening: bool
) -> None:
    roll = roll_dice(seed, game, turn, is_stratified=is_stratified, is_opening=is_opening)
    assert roll in (OPENING_ROLLS if is_opening and turn == 0 else ROLLS)
    assert roll == roll_dice(seed, game, turn, is_stratified=is_stratified, is_opening=is_opening)


@given(seeds, st.integers(0, 36**5), st.integers(0, STRATIFIED_TURNS - 1))
def test_every_block_of_36_games_has_each_roll_once_at_a_stratified_turn(
    seed: int, block: int, turn: int
) -> None:
    rolls = {roll_dice(seed, block * 36 + i, turn, is_stratified=True) for i in range(36)}
    assert rolls == ROLLS


@pytest.mark.parametrize(("seed", "block"), [(0, 0), (7, 5)])
def test_every_block_of_1296_games_has_each_pair_of_first_rolls_once(seed: int, block: int) -> None:
    pairs = {
        tuple(roll_dice(seed, block * 1296 + i, turn, is_stratified=True) for turn in (0, 1))
        for i in range(1296)
    }
    assert len(pairs) == 1296


@pytest.mark.parametrize("seed", [0, 99])
def test_stratified_opening_rolls_come_once_in_30_games_and_pairs_in_1080(seed: int) -> None:
    rolls = [
        [
            roll_dice(seed, game, turn, is_stratified=True, is_opening=True)
            for game in range(1080, 2160)
        ]
        for turn in (0, 1)
    ]
    for first in range(0, 1080, 30):
        assert set(rolls[0][first : first + 30]) == OPENING_ROLLS
    assert set(zip(*rolls, strict=True)) == set(product(OPENING_ROLLS, ROLLS))


def test_seeds_and_games_and_turns_have_their_own_dice() -> None:
    counts = Counter(
        roll_dice(seed, game, turn) for seed in range(6) for game in range(60) for turn in range(10)
    )
    expected = 3600 / 36
    chi_square = sum((n - expected) ** 2 / expected for n in counts.values())
    assert len(counts) == 36
    assert chi_square < 67  # 35 degrees of freedom: one in a thousand; fixed seeds


def test_later_turns_of_stratified_dice_are_the_independent_ones() -> None:
    for turn in (STRATIFIED_TURNS, 50):
        assert roll_dice(3, 4, turn, is_stratified=True) == roll_dice(3, 4, turn)


def test_known_rolls_never_change() -> None:
    rolls = [roll_dice(1, 2, turn, is_stratified=True) for turn in range(8)]
    assert rolls == [(1, 6), (1, 6), (3, 2), (3, 5), (5, 1), (2, 3), (6, 6), (4, 1)]


@pytest.mark.parametrize("numbers", [(-1, 0, 0), (2**63, 0, 0), (0, -1, 0), (0, 0, 2**31)])
def test_numbers_out_of_range_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="is 0 to"):
        roll_dice(*numbers)
