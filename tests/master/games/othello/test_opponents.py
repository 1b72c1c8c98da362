"""The opponents of Othello: their moves, and games of one against another."""

from __future__ import annotations

import pytest

from engine_ext.othello.board import OthelloBoard
from master.games.othello.opponents import (
    OPENING_PLIES,
    OPPONENTS,
    OthelloOpponent,
    Strength,
    opening,
    pair,
)


def moves_of(strength: Strength, seed: int, count: int = 14) -> tuple[str, ...]:
    board, opponent, moves = OthelloBoard.start(), OthelloOpponent(strength, seed), []
    for _ in range(count):
        board = board.passed() if board.must_pass else board
        moves.append(opponent.choose(board))
        board = board.play(moves[-1])
    return tuple(moves)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["beginner", "club", "expert"])
def test_the_same_seed_is_the_same_game_and_another_seed_another(level: str) -> None:
    assert moves_of(OPPONENTS[level], 5) == moves_of(OPPONENTS[level], 5)
    assert len({moves_of(OPPONENTS[level], seed) for seed in range(4)}) > 1


def test_without_noise_the_seed_changes_nothing() -> None:
    assert moves_of(OPPONENTS["world"], 1, 6) == moves_of(OPPONENTS["world"], 2, 6)


def test_openings_are_of_the_seed_and_differ() -> None:
    found = [opening(3, number) for number in range(4)]
    assert [opening(3, number) for number in range(4)] == found
    assert {board.empties for board in found} == {60 - OPENING_PLIES}
    assert len(set(found)) == 4


@pytest.mark.slow
def test_a_level_against_itself_is_even_and_loses_to_a_far_stronger_one() -> None:
    assert sum(pair(Strength(2, 0), Strength(2, 0), 9, 0)) == 1
    beginner, strong = OPPONENTS["beginner"], Strength(4, 1)
    assert sum(sum(pair(beginner, strong, 9, number)) for number in range(5)) <= 3


@pytest.mark.slow
def test_games_of_levels_end_with_any_passes() -> None:
    random = Strength(1, 100_000)
    points = [each for number in range(6) for each in pair(random, random, 4, number)]
    assert set(points) <= {0.0, 0.5, 1.0}
    assert 0 < sum(points) < len(points)
