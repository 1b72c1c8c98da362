"""The opponents of chess: their moves, and games of one against another."""

from __future__ import annotations

import pytest

from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fen import START, read_fen
from master.games.chess.game import game_from
from master.games.chess.opponents import (
    OPENING_PLIES,
    OPPONENTS,
    ChessOpponent,
    Strength,
    opening,
    pair,
    played,
)

BEGINNER = OPPONENTS["beginner"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def moves_of(strength: Strength, seed: int, count: int = 12) -> tuple[str, ...]:
    game, opponent = game_from(read_fen(START)), ChessOpponent(strength, seed)
    for _ in range(count):
        game = game.play(opponent.choose(game))
    return game.moves


@pytest.mark.slow
@pytest.mark.parametrize("level", ["beginner", "club", "grandmaster"])
def test_the_same_seed_is_the_same_game_and_another_seed_another(level: str) -> None:
    assert moves_of(OPPONENTS[level], 5) == moves_of(OPPONENTS[level], 5)
    assert len({moves_of(OPPONENTS[level], seed) for seed in range(4)}) > 1


def test_without_noise_the_seed_changes_nothing() -> None:
    world = OPPONENTS["world"]
    assert moves_of(world, 1) == moves_of(world, 2)
    assert ChessOpponent(world, 1).choose(game_from(read_fen(MATE_IN_ONE))) == "a1a8"


def test_noise_makes_a_level_miss_what_it_would_see() -> None:
    start = game_from(read_fen(MATE_IN_ONE))
    noisy = Strength(0, 1, 256, 600)
    found = [ChessOpponent(noisy, seed).choose(start) for seed in range(40)]
    assert 0 < found.count("a1a8") < 40
    quiet = Strength(0, 1, 256, 0)
    assert ChessOpponent(quiet, 1).choose(start) == "a1a8"


def test_openings_are_of_the_seed_and_differ() -> None:
    found = [opening(3, number) for number in range(4)]
    assert [opening(3, number).moves for number in range(4)] == [game.moves for game in found]
    assert all(game.move_count == OPENING_PLIES and game.side for game in found)
    assert len({game.moves for game in found}) == 4


@pytest.mark.slow
def test_a_level_against_itself_is_even_and_loses_to_a_far_stronger_one() -> None:
    quiet = Strength(0, 1, 1, 0)
    assert sum(pair(quiet, quiet, 9, 0)) == 1
    strong = Strength(600, DEPTH_MAX, 1, 0)
    assert sum(sum(pair(BEGINNER, strong, 9, number)) for number in range(3)) <= 1


@pytest.mark.slow
def test_a_game_is_played_to_its_end() -> None:
    one, other = ChessOpponent(BEGINNER, 2), ChessOpponent(Strength(600, DEPTH_MAX, 1, 0), 2)
    assert played(opening(2, 1), one, other) in (0.0, 0.5)
    assert played(game_from(read_fen(MATE_IN_ONE)), other, one) == 1.0
