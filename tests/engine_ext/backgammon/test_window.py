"""Take points and gammon prices against Janowski's numbers, worked scores, and gnubg's."""

from pathlib import Path

import pytest

from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_xml import met_from_xml
from engine_ext.backgammon.window import SideWindow, window

GAMMONLESS = (0.5, 0.0, 0.0, 0.0, 0.0)
GNUBG_METS = Path("/usr/share/gnubg/met")

# What `show gammonvalues` and `show marketwindow` of gnubg 1.07 say of 4HPwATDgc/ABMA with
# Kit Woolsey's table at 3-5 to 7; it counts backgammons (1.25 and 1.08 per cent of the games
# won) beside the gammons (26.96 and 24.83), not among them.
GNUBG_PROBS = (0.5, 0.5 * (0.2696 + 0.0125), 0.5 * 0.0125, 0.5 * (0.2483 + 0.0108), 0.5 * 0.0108)


def test_money_without_gammons_has_the_points_that_everyone_knows() -> None:
    points = SideWindow(0.5, 0.25, 0.2, 0.75, 0.8)
    both = window(Cube(), GAMMONLESS)
    for side in (both.on_roll, both.opponent):
        assert vars(side) == pytest.approx(vars(points), abs=1e-12)


def test_gammons_move_the_take_points_as_janowskis_formulas_say() -> None:
    both = window(Cube(), (0.6, 0.15, 0.0, 0.04, 0.0))
    win, lose = 1.25, 1.1
    assert both.opponent.take_point_dead == pytest.approx((win - 0.5) / (win + lose))
    assert both.opponent.take_point_live == pytest.approx((win - 0.5) / (win + lose + 0.5))
    assert both.on_roll.take_point_dead == pytest.approx((lose - 0.5) / (win + lose))
    assert both.on_roll.cash_point_dead == pytest.approx((lose + 0.5) / (win + lose))


def test_a_player_without_the_cube_cashes_nothing() -> None:
    both = window(Cube(value=2, owner=1), GAMMONLESS)
    assert both.on_roll.cash_point_dead is both.on_roll.cash_point_live is None
    assert both.opponent.take_point_dead is both.opponent.take_point_live is None
    assert both.on_roll.take_point_dead == pytest.approx(0.25)
    assert both.opponent.cash_point_live == pytest.approx(0.8)


def test_gammons_count_as_the_rules_and_the_score_say() -> None:
    assert window(Cube(jacoby=True), GAMMONLESS).on_roll.gammon_price == 0
    turned = Cube(value=2, owner=0, jacoby=True)
    assert window(turned, GAMMONLESS).on_roll.gammon_price == 0.5
    last_point = window(Cube(match_length=5, score=(4, 2)), GAMMONLESS)
    assert last_point.on_roll.gammon_price == 0
    assert 0 < last_point.opponent.gammon_price < 0.1  # 3-away: a plain win is as good as two
    assert last_point.on_roll.cash_point_dead is None


def test_both_players_see_one_window() -> None:
    cube = Cube(match_length=9, score=(2, 5))
    ours = window(cube, (0.6, 0.15, 0.01, 0.04, 0.002))
    theirs = window(cube.swapped(), (0.4, 0.04, 0.002, 0.15, 0.01))
    assert vars(ours.on_roll) == pytest.approx(vars(theirs.opponent), abs=1e-12)
    assert vars(ours.opponent) == pytest.approx(vars(theirs.on_roll), abs=1e-12)


@pytest.mark.reference
def test_points_are_gnubgs() -> None:
    path = GNUBG_METS / "woolsey.xml"
    if not path.exists():
        pytest.skip("gnubg's match equity tables are not installed")
    table = MatchTable(met_from_xml(path.read_text(encoding="utf-8")))
    both = window(Cube(match_length=7, score=(3, 5), table=table), GNUBG_PROBS)
    assert both.on_roll.gammon_price == pytest.approx(0.43478, abs=1e-5)
    assert both.opponent.gammon_price == pytest.approx(0.73913, abs=1e-5)
    assert both.opponent.cash_point_dead == pytest.approx(0.7348, abs=1e-4)
    assert both.opponent.cash_point_live == pytest.approx(0.83, abs=1e-4)
    assert both.on_roll.cash_point_dead == pytest.approx(0.6240, abs=1e-4)
