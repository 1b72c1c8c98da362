"""The opponents of backgammon: their moves and cube actions, and games of one against another."""

from __future__ import annotations

from statistics import fmean

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.play import decide_cube, rank_moves
from master.games.backgammon.play.opponents import (
    OPPONENTS,
    BackgammonOpponent,
    Strength,
    pair,
    played,
)
from master.games.opponents import duel_of

MOVES = [(4, 0.2), (0, 0.1), (7, -0.1)]
CLOSE = GameState(START, MatchState())


def test_without_noise_the_first_of_the_ranking_is_played() -> None:
    quiet = BackgammonOpponent(Strength(0, 0), 3)
    assert quiet.chosen(5, MOVES) == 4
    assert quiet.chosen(5, [(1, 0.5), (0, 0.5)]) == 1


def test_noise_is_of_the_seed_the_decision_and_the_move() -> None:
    noisy = BackgammonOpponent(Strength(0, 200), 3)
    chosen = [noisy.chosen(decision, MOVES) for decision in range(200)]
    assert chosen == [noisy.chosen(decision, MOVES) for decision in range(200)]
    assert chosen.count(4) > chosen.count(0) > chosen.count(7)
    other = BackgammonOpponent(Strength(0, 200), 4)
    assert chosen != [other.chosen(decision, MOVES) for decision in range(200)]


def test_a_ranking_may_come_in_another_order() -> None:
    noisy = BackgammonOpponent(Strength(0, 200), 3)
    turned = [noisy.chosen(decision, MOVES[::-1]) for decision in range(50)]
    assert turned == [noisy.chosen(decision, MOVES) for decision in range(50)]


def test_cube_answers_get_a_quarter_of_the_noise() -> None:
    answers = decide_cube(CLOSE)
    assert BackgammonOpponent(Strength(0, 0)).believed(0, answers) == answers
    noisy = BackgammonOpponent(Strength(0, 400), 8)
    heard = [noisy.believed(decision, answers) for decision in range(400)]
    assert heard[7] == noisy.believed(7, answers)
    errors = [each.double_take - answers.double_take for each in heard]
    assert abs(fmean(errors)) < 0.02
    assert 0.08 < fmean(error * error for error in errors) ** 0.5 < 0.12
    assert {each.double_pass for each in heard} == {answers.double_pass}


def test_equal_players_with_the_same_dice_have_no_result() -> None:
    for number in range(3):
        first, second = pair(Strength(0, 0), Strength(0, 0), 20, number)
        assert first == -second


@pytest.mark.slow
def test_luck_is_taken_off_and_what_is_left_is_small() -> None:
    quiet = BackgammonOpponent(Strength(0, 0))
    left = [played((quiet, quiet), seed) for seed in range(40)]
    assert abs(fmean(left)) < 0.15
    assert max(map(abs, left)) < 2


@pytest.mark.slow
def test_noise_costs_points() -> None:
    duel = duel_of([pair(Strength(0, 100), Strength(0, 0), 30, number) for number in range(25)])
    assert duel.mean + 3 * duel.std_error < 0


def test_levels_move_as_the_table_ranks() -> None:
    state = parse_id("4HPwATDgc/ABMA")
    assert OPPONENTS["world"].ply == 2
    ranked = rank_moves(state, (3, 1), 0)
    moves = [(number, move.equity_cubeful) for number, move in enumerate(ranked)]
    assert BackgammonOpponent(Strength(0, 0)).chosen(0, moves) == 0
