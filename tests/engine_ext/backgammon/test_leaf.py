"""Each class of positions is answered for by the source that knows it best."""

import pytest

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.cube import Cube, efficiency
from engine_ext.backgammon.evaluate import evaluate_static
from engine_ext.backgammon.leaf import static_equities, waiting_gain

CONTACT = 4
BEAR_OFF = Position([13, 0, 0, 0, 0, 1, 1] + [0] * 19, [14, 1] + [0] * 24)
BEHIND = position_from_id("7DrnAAC1bcDBAA")  # contact; the player on roll has a poor take
WON_GAMMON = Position([15] + [0] * 25, [0] * 6 + [15] + [0] * 19)


@pytest.mark.parametrize("cube", [Cube(), Cube(value=2, owner=0), Cube(match_length=3)])
def test_contact_is_judged_by_the_formula(cube: Cube) -> None:
    probs, x = evaluate_static(START), efficiency(START, CONTACT)
    expected = (cube.equity_no_double(probs, x), cube.equity_optimal(probs, x))
    assert static_equities(START, cube) == pytest.approx(expected, abs=1e-15)


def test_the_last_roll_of_a_bear_off_is_exact_for_money() -> None:
    # 6 of 36 rolls win; otherwise the opponent does.
    equities = static_equities(BEAR_OFF, Cube())
    assert equities == pytest.approx((-2 / 3, -2 / 3), abs=1e-6)


def test_the_last_roll_of_a_bear_off_is_exact_at_a_match_score() -> None:
    """A player who cannot double and never will be doubled again: the cubeless chance."""
    double_match_point = Cube(match_length=1)
    win = evaluate_static(BEAR_OFF)[0]
    equities = static_equities(BEAR_OFF, double_match_point)
    assert equities == pytest.approx((2 * win - 1, 2 * win - 1), abs=1e-12)
    no_double, optimal = static_equities(BEAR_OFF, Cube(match_length=5))
    assert no_double == optimal == pytest.approx(-2 / 3, abs=1e-6)


def test_the_highest_cube_is_dead_in_a_bear_off_too() -> None:
    even = Position([13, 1, 0, 0, 0, 0, 1] + [0] * 19, [13, 0, 1, 1] + [0] * 22)
    win = evaluate_static(even)[0]
    assert static_equities(even, Cube(value=4096, owner=0)) == (2 * win - 1, 2 * win - 1)
    assert static_equities(even, Cube(value=64, owner=0))[1] > 2 * win - 1


def test_a_finished_game_counts_gammons_as_jacoby_says() -> None:
    assert static_equities(WON_GAMMON, Cube()) == (2.0, 2.0)
    assert static_equities(WON_GAMMON, Cube(jacoby=True)) == (1.0, 1.0)
    assert static_equities(WON_GAMMON, Cube(jacoby=True, value=2, owner=1)) == (2.0, 2.0)
    assert static_equities(WON_GAMMON.swapped(), Cube(jacoby=True)) == (-1.0, -1.0)


@pytest.mark.parametrize("cube", [Cube(), Cube(value=2, owner=1), Cube(match_length=3)])
def test_who_waits_has_six_tenths_of_what_doubling_at_once_would_gain(cube: Cube) -> None:
    probs, x = evaluate_static(BEHIND), efficiency(BEHIND, CONTACT)
    own_probs, own = (1 - probs[0], probs[3], probs[4], probs[1], probs[2]), cube.swapped()
    gain = own.equity_optimal(own_probs, x) - own.equity_no_double(own_probs, x)
    assert gain > 0.01
    assert waiting_gain(BEHIND, cube) == pytest.approx(0.6 * gain, abs=1e-12)


def test_who_waits_gains_nothing_without_the_cube_or_where_a_table_has_counted_it() -> None:
    assert waiting_gain(BEHIND, Cube(value=2, owner=0)) == 0.0
    assert waiting_gain(BEHIND, Cube(match_length=1)) == 0.0
    assert waiting_gain(BEHIND.swapped(), Cube()) == 0.0
    assert waiting_gain(BEAR_OFF, Cube()) == 0.0
    assert waiting_gain(WON_GAMMON, Cube()) == 0.0
