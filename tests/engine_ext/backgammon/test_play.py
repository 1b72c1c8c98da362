"""What a player is told agrees with the rules and with itself."""

import pytest

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.play import (
    SearchStopped,
    decide_cube,
    decide_dead_cube,
    evaluate,
    rank_moves,
)
from engine_ext.control import RunControl
from tests.benchmarks.backgammon_play_speed import decisions
from tests.engine_ext.backgammon.kauder import kauder_position

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


def test_a_double_that_would_be_beavered_says_what_the_beaver_costs() -> None:
    plain, beavers = (
        decide_cube(GameState(LAST_ROLL, MatchState(beavers=beavers))) for beavers in (False, True)
    )
    assert (plain.action, plain.double_beaver) == ("no double", None)
    assert (beavers.action, beavers.double_beaver) == ("no double, beaver", 2 * plain.double_take)
    assert beavers.double_take == plain.double_take
    assert decide_cube(STATE).double_beaver == 2 * decide_cube(STATE).double_take


@pytest.mark.parametrize("ply", [1, 2])
@pytest.mark.when_changed
def test_a_beavered_double_is_made_where_it_is_still_right(ply: int) -> None:
    state = GameState(kauder_position(ply), MatchState())
    cube = decide_cube(state, ply)
    assert cube.action == "double, beaver"
    assert cube.double_beaver is not None
    assert cube.no_double <= cube.double_beaver < cube.double_take < 0.0
    assert evaluate(state, ply).equity_cubeful == cube.double_beaver
    unbeavered = GameState(state.position, MatchState(beavers=False))
    assert decide_cube(unbeavered, ply).action == "double, take"
    assert evaluate(unbeavered, ply).equity_cubeful == cube.double_take


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


def test_a_decision_comes_with_its_window() -> None:
    window = decide_cube(STATE, 1).window
    assert window.on_roll.gammon_price == 0  # Jacoby, and a centred cube
    assert window.on_roll.take_point_dead is not None
    assert window.on_roll.take_point_live is not None
    assert 0.2 < window.on_roll.take_point_live < window.on_roll.take_point_dead < 0.4


def test_a_stopped_question_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    with pytest.raises(SearchStopped):
        evaluate(STATE, 2, control)
    with pytest.raises(SearchStopped):
        decide_cube(STATE, 2, control)
    with pytest.raises(SearchStopped):
        rank_moves(STATE, (3, 1), 2, control=control)


@pytest.mark.reference
@pytest.mark.parametrize(
    ("match", "mean_max", "absolute_max"),
    [
        (MatchState(jacoby=False), 0.015, 0.045),
        (MatchState(match_length=1), 0.01, 0.035),
        (MatchState(match_length=5, score=(2, 3)), 0.02, 0.055),
        (MatchState(match_length=5, score=(3, 1)), 0.02, 0.055),
    ],
    ids=["money", "last-game", "3-away-2-away", "2-away-4-away"],
)
def test_cubeless_equities_lie_around_gnubgs(
    match: MatchState, mean_max: float, absolute_max: float
) -> None:
    """Two nets, each some .027 from rollouts, differ by .028 on average over 300 positions.

    They could be the sum of their errors apart and both be as good as they are; more, or a mean
    difference of more than a few standard errors, would be a fault of one of them.
    """
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg-nn is not installed")
    cube, differences = cube_of(match), []
    for position, _ in decisions(150, 11):
        board = gnubg_nn.board_from_position_id(position.position_id)
        theirs = [min(1.0, max(0.0, value)) for value in gnubg_nn.probabilities(board, 0)]
        ours = evaluate(GameState(position, match))
        differences.append(ours.equity_cubeless - cube.cubeless_equity(theirs))
    assert abs(sum(differences) / len(differences)) < mean_max
    assert sum(map(abs, differences)) / len(differences) < absolute_max


@pytest.mark.reference
def test_best_plays_are_mostly_gnubgs() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg-nn is not installed")
    same, asked = 0, decisions(150, 12)
    for position, dice in asked:
        keys = {
            gnubg_nn.key_of_board(
                gnubg_nn.board_from_position_id(move.position_after.position_id)
            ): move.rank
            for move in rank_moves(GameState(position, MatchState(jacoby=False)), dice)
        }
        board = gnubg_nn.board_from_position_id(position.position_id)
        _, after, *_ = gnubg_nn.best_move(board, *dice, 0, b"X", 1)
        assert after in keys
        same += keys[after] == 1
    assert same > 0.7 * len(asked)


GAMMONISH = "dweFgAV3H0MQAA"
"""The player on roll wins many gammons, which Jacoby's rule makes nothing of."""


def cubeless_one_ply(state: GameState) -> float:
    """Return the mean over the rolls of the best cubeless reply, by plain Python."""
    total = 0.0
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            ranked = rank_moves(state, (die1, die2), is_cubeful=False)
            total += (1 if die1 == die2 else 2) * max(one.equity_cubeless for one in ranked)
    return total / 36


@pytest.mark.parametrize("position_id", [START.position_id, GAMMONISH])
def test_cubeless_look_ahead_is_the_mean_of_the_best_cubeless_replies(position_id: str) -> None:
    """With Jacoby's rule plays for the cubeful game ignore gammons, and bias a cubeless equity."""
    state = GameState(position_from_id(position_id), MatchState(jacoby=True))
    found = evaluate(state, 1, is_cubeful=False)
    assert found.equity_cubeless == pytest.approx(cubeless_one_ply(state), abs=1e-9)
    assert found.equity_cubeful == found.equity_cubeless
    assert evaluate(state, 1).equity_cubeless <= found.equity_cubeless + 1e-9


def test_plays_for_the_cubeful_game_bias_a_cubeless_equity() -> None:
    state = GameState(position_from_id(GAMMONISH), MatchState(jacoby=True))
    biased, fair = evaluate(state, 1), evaluate(state, 1, is_cubeful=False)
    assert biased.equity_cubeless < fair.equity_cubeless - 0.02


def test_moves_of_the_cubeless_game_are_ranked_by_its_equity() -> None:
    state = GameState(position_from_id(GAMMONISH), MatchState(jacoby=True))
    for ply in (0, 1):
        ranked = rank_moves(state, (3, 1), ply, is_cubeful=False)
        examined = [one.equity_cubeless for one in ranked if one.ply == ply]
        assert examined == sorted(examined, reverse=True)
        assert all(one.equity_cubeful == pytest.approx(one.equity_cubeless) for one in ranked)


@pytest.mark.parametrize(
    "match", [MatchState(), MatchState(match_length=7, score=(3, 5)), MatchState(cube_value=2)]
)
def test_dead_cube_is_worth_its_points_twice(match: MatchState) -> None:
    state = GameState(START, match)
    decision = decide_dead_cube(state, 1)
    found = evaluate(state, 1, is_cubeful=False)
    assert decision.no_double == found.equity_cubeless
    if match.match_length == 0:
        assert decision.double_take == pytest.approx(2 * found.equity_cubeless)
    assert decision.double_pass == 1.0


def test_cube_that_may_not_be_turned_has_one_answer() -> None:
    decision = decide_dead_cube(GameState(START, MatchState(cube_value=2, cube_owner=1)))
    assert decision.no_double == decision.double_take == decision.double_pass
    assert (decision.action, decision.may_double) == ("no double", False)
