"""What a player is told agrees with the rules and with itself."""

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.play import SearchStopped, decide_cube, evaluate, rank_moves
from engine_ext.control import RunControl

STATE = parse_id("4HPwATDgc/ABMA")
LAST_ROLL = Position([13, 0, 0, 0, 0, 1, 1] + [0] * 19, [14, 1] + [0] * 24)
WON = Position([15] + [0] * 25, [14, 1] + [0] * 24)


def test_every_legal_move_is_listed_once_with_its_rank_and_position() -> None:
    ranked = rank_moves(STATE, (1, 3), ply=1)
    assert [move.rank for move in ranked] == list(range(1, len(ranked) + 1))
    after = {move.after.swapped() for move in legal_moves(START, (3, 1))}
    assert {move.position_after for move in ranked} == after
    assert len(ranked) == len(after) == 16
    assert "8/5 6/5" in {move.text for move in ranked}


def test_a_move_is_worth_what_the_opponent_loses_by_it() -> None:
    best = rank_moves(STATE, (3, 1))[0]
    theirs = evaluate(GameState(best.position_after, MatchState()))
    assert best.equity_cubeful == -theirs.equity_cubeful
    assert best.equity_cubeless == pytest.approx(-theirs.equity_cubeless, abs=1e-12)
    assert best.probs.win == 1 - theirs.probs.win
    assert best.probs.win_gammon == theirs.probs.lose_gammon


def test_a_position_is_valued_with_the_best_cube_action() -> None:
    cube = decide_cube(GameState(LAST_ROLL, MatchState()))
    assert (cube.may_double, cube.double_pass) == (True, 1.0)
    assert cube.no_double == pytest.approx(-2 / 3, abs=1e-6)
    assert cube.double_take == pytest.approx(-4 / 3, abs=1e-6)
    assert cube.action.startswith("no double")
    for ply in (0, 1):
        evaluation = evaluate(GameState(LAST_ROLL, MatchState()), ply)
        assert evaluation.ply == ply
        assert evaluation.equity_cubeful == pytest.approx(cube.no_double, abs=1e-6)


def test_a_player_without_access_to_the_cube_rolls_on() -> None:
    owned = MatchState(cube_value=2, cube_owner=1)
    cube = decide_cube(GameState(START, owned))
    assert not cube.may_double
    assert cube.no_double == cube.double_take == cube.double_pass
    assert cube.action == "no double"


@pytest.mark.parametrize("match", [MatchState(), MatchState(match_length=3, score=(1, 0))])
def test_a_finished_game_has_its_result_and_no_double(match: MatchState) -> None:
    state = GameState(WON, match)
    assert evaluate(state).probs == (1.0, 0.0, 0.0, 0.0, 0.0)
    assert evaluate(state).equity_cubeful == pytest.approx(1.0, abs=1e-12)
    assert not decide_cube(state).may_double


def test_a_roll_that_cannot_be_played_is_one_move() -> None:
    closed_out = Position([14] + [0] * 24 + [1], [3] + [2] * 6 + [0] * 19)
    (move,) = rank_moves(GameState(closed_out, MatchState()), (6, 5))
    assert move.position_after == closed_out.swapped()


def test_a_stopped_question_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    with pytest.raises(SearchStopped):
        evaluate(STATE, 2, control)
    with pytest.raises(SearchStopped):
        decide_cube(STATE, 2, control)
    with pytest.raises(SearchStopped):
        rank_moves(STATE, (3, 1), 2, control=control)
