from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import ON_ROLL, OPPONENT, GameState, IdError
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import kazaross_xg2
from engine_ext.backgammon.play import SearchStopped, rank_moves
from engine_ext.control import RunControl
from master.games.backgammon.position_reports import (
    CUBE_ANSWERS,
    PROB_NAMES,
    Score,
    cube_report,
    eval_report,
    matrix_report,
    move_report,
    rolls_report,
    score_of,
    scores,
    state_at,
)
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION

STATE = read_id(POSITION)


def test_evaluation_has_the_documented_keys() -> None:
    report = eval_report(STATE, 0)
    assert list(report) == [
        "position_id", "match_id", "ply", "level", "plays", "probs", "equity_cubeless",
        "equity_cubeful", "mwc", "epc",
    ]  # fmt: skip
    assert (report["mwc"], report["epc"]) == (None, None)
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
        "equity_cubeful", "equity_cubeless", "mwc", "probs",
    ]  # fmt: skip
    equities = [move["equity_cubeful"] for move in moves]
    assert equities == sorted(equities, reverse=True)
    assert (moves[0]["move"], moves[0]["position_id"]) == ("8/5 6/5", "sGfwATDgc/ABMA")


def test_cube_has_the_documented_keys() -> None:
    report = cube_report(STATE, 0)
    assert list(report) == [
        "probs", "equity_cubeless", "no_double", "double_take", "double_beaver", "double_pass",
        "mwc", "epc", "action", "ply", "level", "plays", "window",
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
    report = rolls_report(STATE, rolls, ranked)
    assert report["rolls"] == [move_report(STATE, dice, 0) for dice in rolls]
    best = [moves[0].equity_cubeful for moves in ranked]
    weighted = [e * (1 if a == b else 2) for e, (a, b) in zip(best, rolls, strict=True)]
    assert report["mean_equity_cubeful"] == sum(weighted) / 36


START = parse_id("4HPwATDgc/ABMA")
KEYS = ("no_double", "double_take", "double_pass", "action", "level")
away = st.integers(1, 7)


def entry(report: Any, score: Score) -> Any:
    (found,) = [
        each
        for each in report["scores"]
        if (tuple(each["away"]), each["crawford"]) == (score.away, score.is_crawford)
    ]
    return found


def at(own: int, other: int, length: int, *, crawford: bool = False) -> GameState:
    match = replace(
        START.match, match_length=length, score=(length - own, length - other), crawford=crawford
    )
    return replace(START, match=match)


@pytest.mark.slow
@settings(max_examples=20)
@given(away, away, st.integers(0, 4), st.booleans(), st.booleans())
@pytest.mark.when_changed
def test_entry_at_the_positions_own_score_is_what_cube_answers(
    own: int, other: int, longer: int, is_crawford: bool, is_cubeful: bool
) -> None:
    crawford = is_crawford and (own == 1) != (other == 1)
    state = at(own, other, max(own, other) + longer, crawford=crawford)
    score = score_of(state)
    assert score is not None
    report = matrix_report(state, 0, max(own, other), is_cubeful=is_cubeful)
    alone = cube_report(state, 0, is_cubeful=is_cubeful)
    assert {key: alone[key] for key in KEYS} == {key: entry(report, score)[key] for key in KEYS}


def test_same_scores_are_the_same_in_a_longer_match_and_a_larger_matrix() -> None:
    small, large = matrix_report(at(2, 3, 3), 0, 3), matrix_report(at(5, 5, 9), 0, 5)
    for score in scores(3, 1):
        assert entry(small, score) == entry(large, score)


def test_every_score_comes_once_and_one_to_go_with_the_crawford_game_and_after_it() -> None:
    listed = list(scores(7, 1))
    assert len(listed) == len(set(listed)) == 49 + 12
    assert Score((1, 1), is_crawford=True) not in listed
    assert all(1 in score.away for score in listed if score.is_crawford)
    assert len(list(scores(7, 2))) == 49


def test_nobody_doubles_in_the_crawford_game_nor_where_a_double_gains_nothing() -> None:
    report: Any = matrix_report(START, 0, 4)
    for each in report["scores"]:
        own, _ = each["away"]
        assert each["may_double"] is not (each["crawford"] or own == 1)
        if not each["may_double"]:
            assert (each["action"], each["gain"]) == ("no double", 0.0)


def test_gain_is_what_a_double_brings() -> None:
    report: Any = matrix_report(START, 0, 4)
    for each in report["scores"]:
        doubled = min(each["double_take"], each["double_pass"])
        assert each["gain"] == doubled - each["no_double"]
        assert not each["action"].startswith("double,") or each["gain"] >= 0.0
        assert not each["action"].startswith(("no ", "too good")) or each["gain"] <= 0.0


@pytest.mark.parametrize(("owner", "may"), [(ON_ROLL, True), (OPPONENT, False)])
def test_cube_stays_where_it_is(owner: int, may: bool) -> None:
    match = replace(at(7, 7, 7).match, cube_value=2, cube_owner=owner)
    report: Any = matrix_report(replace(START, match=match), 0, 4)
    assert (report["cube_value"], report["cube_owner"]) == (2, owner)
    assert entry(report, Score((4, 4)))["may_double"] is may
    assert not entry(report, Score((2, 4)))["may_double"]


def test_centred_cube_of_money_play_that_shows_more_than_one_is_refused() -> None:
    state = replace(START, match=replace(START.match, cube_value=2))
    with pytest.raises(IdError, match="a cube that shows 2 has an owner"):
        matrix_report(state, 0, 3)


def test_it_is_said_how_far_it_is_and_it_can_be_stopped() -> None:
    reported: list[tuple[int, int]] = []
    matrix_report(START, 0, 2, on_done=lambda done, total: reported.append((done, total)))
    assert reported == [(done, 6) for done in range(1, 7)]
    control = RunControl()
    control.stop()
    with pytest.raises(SearchStopped):
        matrix_report(START, 2, 2, control=control)


def test_state_at_a_score_is_match_play() -> None:
    state = state_at(START, Score((3, 1), is_crawford=True), 5)
    assert (state.match.away, state.match.crawford) == ((3, 1), True)
    assert not state.match.jacoby
    assert score_of(START) is None


@pytest.mark.parametrize("is_cubeful", [True, False])
def test_match_winning_chances_are_of_the_equities_beside_them(is_cubeful: bool) -> None:
    state = at(3, 5, 7)
    to_mwc = cube_of(state.match).equity_to_mwc
    cube: Any = cube_report(state, 0, is_cubeful=is_cubeful)
    assert cube["mwc"] == {
        key: None if cube[key] is None else to_mwc(cube[key]) for key in CUBE_ANSWERS
    }
    evaluation: Any = eval_report(state, 0, is_cubeful=is_cubeful)
    equity = "equity_cubeful" if is_cubeful else "equity_cubeless"
    assert evaluation["mwc"] == to_mwc(evaluation[equity])
    moves: Any = move_report(state, (3, 1), 0)["moves"]
    assert [move["mwc"] for move in moves] == [to_mwc(move["equity_cubeful"]) for move in moves]
    assert cube["mwc"]["double_pass"] == pytest.approx(kazaross_xg2().mwc(2, 5))


def test_users_own_match_equities_give_the_chances() -> None:
    pre = [list(row) for row in kazaross_xg2().pre]
    pre[1][4], pre[4][1] = 0.8125, 0.1875
    table = MatchTable(replace(kazaross_xg2(), name="own", pre=tuple(map(tuple, pre))))
    report: Any = cube_report(at(3, 5, 7), 0, table)
    assert report["mwc"]["double_pass"] == pytest.approx(0.8125)
