import pytest

from engine_ext.backgammon.play import rank_moves
from master.games.backgammon.position_reports import (
    PROB_NAMES,
    cube_report,
    eval_report,
    move_report,
    rolls_report,
)
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION

STATE = read_id(POSITION)


def test_evaluation_has_the_documented_keys() -> None:
    report = eval_report(STATE, 0)
    assert list(report) == [
        "position_id", "match_id", "ply", "level", "plays", "probs", "equity_cubeless",
        "equity_cubeful",
    ]  # fmt: skip
    assert (report["position_id"], report["match_id"]) == (POSITION, "cAkAAAAAAAAA")
    probs = report["probs"]
    assert isinstance(probs, dict)
    assert tuple(probs) == PROB_NAMES


def test_moves_are_all_there_best_first() -> None:
    report = move_report(STATE, (3, 1), 0)
    moves = report["moves"]
    assert report["dice"] == [3, 1]
    assert isinstance(moves, list)
    assert len(moves) == 16
    assert [move["rank"] for move in moves] == list(range(1, 17))
    assert list(moves[0]) == [
        "rank", "move", "position_id", "ply", "level",
        "equity_cubeful", "equity_cubeless", "probs",
    ]  # fmt: skip
    equities = [move["equity_cubeful"] for move in moves]
    assert equities == sorted(equities, reverse=True)
    assert (moves[0]["move"], moves[0]["position_id"]) == ("8/5 6/5", "sGfwATDgc/ABMA")


def test_cube_has_the_documented_keys() -> None:
    report = cube_report(STATE, 0)
    assert list(report) == [
        "probs", "equity_cubeless", "no_double", "double_take", "double_beaver", "double_pass",
        "action", "ply", "level", "plays", "window",
    ]  # fmt: skip
    evaluation = eval_report(STATE, 0)
    assert [report[key] for key in ("probs", "equity_cubeless")] == [
        evaluation[key] for key in ("probs", "equity_cubeless")
    ]
    window = report["window"]
    assert isinstance(window, dict)
    points = [
        "gammon_price", "take_point_dead", "take_point_live", "cash_point_dead", "cash_point_live",
    ]  # fmt: skip
    assert [list(window[side]) for side in ("on_roll", "opponent")] == [points, points]
    assert report["double_pass"] == 1.0


@pytest.mark.parametrize("bear_off", ["IgAAQAEAAAAAAA:AQHgADAAEAAE", "IgAAQAEAAAAAAA"])
def test_levels_say_exact_where_no_look_ahead_matters(bear_off: str) -> None:
    """`ply` stays what was asked for; without a match ID it is a money game."""
    state = read_id(bear_off)
    for ply in (0, 2):
        moves = move_report(state, (3, 1), ply)["moves"]
        assert isinstance(moves, list)
        reports = (eval_report(state, ply), cube_report(state, ply), moves[0])
        assert [(report["ply"], report["level"]) for report in reports] == [(ply, "exact")] * 3
    assert eval_report(STATE, 1)["level"] == "1-ply"


def test_all_rolls_have_their_moves_and_a_mean() -> None:
    rolls = [(die1, die2) for die1 in range(1, 7) for die2 in range(1, die1 + 1)]
    ranked = [rank_moves(STATE, dice) for dice in rolls]
    report = rolls_report(rolls, ranked)
    assert report["rolls"] == [move_report(STATE, dice, 0) for dice in rolls]
    best = [moves[0].equity_cubeful for moves in ranked]
    weighted = [e * (1 if a == b else 2) for e, (a, b) in zip(best, rolls, strict=True)]
    assert report["mean_equity_cubeful"] == sum(weighted) / 36
