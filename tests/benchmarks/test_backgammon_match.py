"""The match program in small: fair pairs, legal moves, and the peers that are there."""

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.movegen import legal_moves
from tests.benchmarks import backgammon_match
from tests.benchmarks.backgammon_match import dice_of_pair, opening_roll, play_match


def first_legal(position: Position, dice: tuple[int, int]) -> Position:
    return legal_moves(position, dice)[0].after


def test_equal_players_win_nothing() -> None:
    score = play_match(first_legal, first_legal, 1, 4)
    assert (score.games, score.points_per_game, score.std_error) == (8, 0.0, 0.0)


def test_both_games_of_a_pair_have_the_same_dice() -> None:
    first, second = dice_of_pair(3, 5), dice_of_pair(3, 5)
    rolls = [first() for _ in range(30)]
    assert [second() for _ in range(30)] == rolls
    other = dice_of_pair(3, 6)
    assert [other() for _ in range(30)] != rolls


def test_a_game_begins_with_unlike_dice() -> None:
    rolls = iter([(3, 3), (1, 1), (2, 5)])
    assert opening_roll(lambda: next(rolls)) == (2, 5)


@pytest.mark.slow
def test_the_shipped_nets_beat_a_player_of_first_legal_moves() -> None:
    score = play_match(backgammon_match.our_player(shared_evaluator()), first_legal, 1, 3)
    assert score.points_per_game > 1


@pytest.mark.reference
def test_gnubgs_plays_are_legal() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="the peer gnubg-nn is not installed")
    player = backgammon_match.gnubg_player(gnubg_nn)
    roll, position = dice_of_pair(1, 1), START
    for _ in range(150):
        dice = roll()
        after = player(position, dice)
        assert after in {move.after for move in legal_moves(position, dice)}
        position = START if after.result else after.swapped()


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.timeout(240)
def test_matches_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    backgammon_match.main(["--games", "4"])
    assert "points a game" in capsys.readouterr().out
