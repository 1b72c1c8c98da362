"""Janowski's formulas and windows against a plain reference, worked examples, and gnubg."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.cube import Cube, cube_action, cube_decision
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import kazaross_xg2
from engine_ext.backgammon.met_xml import met_from_xml
from engine_ext.backgammon.window import SideWindow, window
from tests.engine_ext.backgammon.chances import all_probs, efficiencies

# The position of the GNU Backgammon manual, "Cubeful example 1".
MANUAL_PROBS = (0.454, 0.103, 0.001, 0.106, 0.003)


# What gnubg 1.07 answers at 0-ply (its cfevaluate): cube value, owner, match length, score,
# Crawford, probs, no double, double/take, and its words.  Contact positions: efficiency .68.
GNUBG_ANSWERS = [
    (1, -1, 5, (0, 3), False, (0.5757132, 0.3447877, 0.0310457, 0.2072414, 0.0032647),
     0.713830, 1.054937, "double, pass"),
    (1, -1, 25, (1, 8), False, (0.85061, 0.085311, 0.0004219, 0.0070715, 0.0),
     0.954487, 1.484912, "double, pass"),
    (1, -1, 18, (1, 8), False, (0.6035761, 0.2182926, 0.018092, 0.1002675, 0.0041763),
     0.576630, 0.629322, "double, take"),
    (1, -1, 7, (1, 6), False, (0.0900874, 0.0093972, 0.0001068, 0.2493109, 0.0121962),
     -0.726403, -0.688025, "double, take"),
    (1, -1, 20, (3, 19), False, (0.5928544, 0.1530479, 0.0028319, 0.0786142, 0.0018624),
     0.421178, 0.517589, "double, take"),
    (1, -1, 8, (3, 5), False, (0.4214855, 0.0389437, 0.0, 0.0768801, 0.0004476),
     -0.248607, -0.712367, "no double"),
    (1, -1, 24, (0, 12), False, (0.5885907, 0.0257604, 0.0003738, 0.0464621, 0.0010043),
     0.278704, 0.165130, "no double"),
    (4, 0, 14, (3, 1), False, (0.698541, 0.1966587, 0.0123458, 0.0703968, 0.0015314),
     0.620960, 0.498637, "no redouble"),
    (8, 0, 21, (2, 14), False, (0.4221813, 0.114442, 0.0067324, 0.2847878, 0.0079486),
     0.801237, 1.328068, "redouble, pass"),
    (4, 0, 21, (12, 18), False, (0.5885907, 0.0257604, 0.0003738, 0.0464621, 0.0010043),
     0.771525, 1.546859, "redouble, pass"),
    (4, 0, 20, (12, 13), False, (0.5933976, 0.1848194, 0.0122043, 0.1096188, 0.0062242),
     0.555807, 0.579924, "redouble, take"),
    (8, 0, 11, (1, 6), False, (0.3682477, 0.0770272, 0.0007212, 0.0666999, 0.0022823),
     -0.073810, -0.009541, "redouble, take"),
    (1, -1, 22, (17, 19), False, (0.8571977, 0.2004553, 0.0067743, 0.0175462, 0.0002647),
     1.024713, 1.771851, "too good to double, pass"),
    (1, -1, 23, (13, 13), False, (0.6995264, 0.4121726, 0.037259, 0.0, 0.0),
     1.039590, 1.541673, "too good to double, pass"),
    (2, 0, 4, (0, 0), False, (0.6995264, 0.4121726, 0.037259, 0.0, 0.0),
     1.139932, 1.182729, "too good to redouble, pass"),
    (4, 0, 20, (0, 15), False, (0.8571977, 0.2004553, 0.0067743, 0.0175462, 0.0002647),
     1.346147, 4.736125, "too good to redouble, pass"),
    (16, 1, 8, (1, 0), False, (0.0900874, 0.0093972, 0.0001068, 0.2493109, 0.0121962),
     -0.819825, -0.819825, "no double"),
    (2, 1, 2, (0, 1), True, (0.515386, 0.1310892, 0.0012146, 0.059421, 0.0005049),
     0.030772, 0.030772, "no double"),
    (16, 0, 5, (4, 0), True, (0.7646767, 0.4476404, 0.0051127, 0.038119, 0.0016565),
     0.529353, 0.529353, "no redouble"),
]  # fmt: skip


def line(points: Sequence[tuple[float, float]], p: float) -> float:
    """The broken line through `points` at p."""
    for (p0, v0), (p1, v1) in pairwise(points):
        if p0 < p1 and p <= p1:
            return v0 + (v1 - v0) * (p - p0) / (p1 - p0)
    return points[-1][1]


def money_reference(probs: Sequence[float], owner: int, x: float, jacoby: bool) -> float:
    win, lose = 1.0 - probs[0], 1.0 - probs[0]
    win = 1.0 + (probs[1] + probs[2]) / probs[0]
    lose = 1.0 + (probs[3] + probs[4]) / (1.0 - probs[0])
    take, cash = (lose - 0.5) / (win + lose + 0.5), (lose + 1.0) / (win + lose + 0.5)
    no_gammons = jacoby and owner == -1
    low, high = (-1.0, 1.0) if no_gammons else (-lose, win)
    inner = {-1: [(take, -1.0), (cash, 1.0)], 0: [(cash, 1.0)], 1: [(take, -1.0)]}[owner]
    dead = probs[0] * high + (1.0 - probs[0]) * low
    return (1.0 - x) * dead + x * line([(0.0, low), *inner, (1.0, high)], probs[0])


class MatchReference:
    """The manual's match play formulas; everything in mwc of the player asked for."""

    def __init__(self, probs: Sequence[float], away: tuple[int, int], crawford: bool) -> None:
        self.games = (probs[0], 1.0 - probs[0])
        self.shares = [
            self._shares(probs[0], *probs[1:3]),
            self._shares(self.games[1], *probs[3:]),
        ]
        self.away, self.crawford = away, crawford

    @staticmethod
    def _shares(games: float, gammon: float, backgammon: float) -> list[float]:
        if games == 0.0:
            return [1.0, 0.0, 0.0]
        return [1.0 - gammon / games, (gammon - backgammon) / games, backgammon / games]

    def mwc(self, side: int, won: int, lost: int) -> float:
        mine, other = self.away[side] - won, self.away[1 - side] - lost
        return kazaross_xg2().mwc(mine, other, post_crawford=1 in self.away)

    def won(self, side: int, value: int) -> float:
        return sum(s * self.mwc(side, value * (n + 1), 0) for n, s in enumerate(self.shares[side]))

    def useful(self, side: int, value: int) -> bool:
        return self.away[side] > value and not self.crawford

    def take_point(self, side: int, value: int) -> float:
        """Where the live (or last) cube at 2 * value is worth as much as passing."""
        doubled, drop = 2 * value, self.mwc(side, 0, value)
        lost = 1.0 - self.won(1 - side, doubled)
        if self.useful(side, doubled):
            points = [(0.0, lost), (1.0 - self.take_point(1 - side, doubled),
                                    self.mwc(side, doubled, 0))]  # fmt: skip
        else:
            points = [(0.0, lost), (1.0, self.won(side, doubled))]
        (_, v0), (p1, v1) = points
        return p1 * min(1.0, max(0.0, (drop - v0) / (v1 - v0)))

    def cubeful(self, value: int, owner: int, x: float) -> float:
        low, high = 1.0 - self.won(1, value), self.won(0, value)
        points = [(0.0, low)]
        if owner != 0 and self.useful(1, value):
            points.append((self.take_point(0, value), self.mwc(0, 0, value)))
        if owner != 1 and self.useful(0, value):
            points.append((1.0 - self.take_point(1, value), self.mwc(0, value, 0)))
        p = self.games[0]
        dead = p * high + (1.0 - p) * low
        if len(points) == 1:
            return dead
        return (1.0 - x) * dead + x * line([*points, (1.0, high)], p)


@st.composite
def match_cubes(draw: st.DrawFn) -> Cube:
    length = draw(st.integers(1, 25))
    score = (draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1)))
    value = draw(st.sampled_from([1, 1, 2, 4, 8]))
    owner = -1 if value == 1 else draw(st.integers(0, 1))
    crawford = max(score) == length - 1 and draw(st.booleans())
    return Cube(value=value, owner=owner, match_length=length, score=score, crawford=crawford)


def test_manual_money_example() -> None:
    assert Cube().cubeless_equity(MANUAL_PROBS) == pytest.approx(-0.097)
    # The manual reads -.157 and -.138 off its own, unrounded probabilities.
    assert Cube().equity_no_double(MANUAL_PROBS, 1.0) == pytest.approx(-0.16, abs=1e-6)
    assert Cube().equity_no_double(MANUAL_PROBS, 0.68) == pytest.approx(-0.138, abs=0.002)


def test_gammonless_money_take_point_is_a_fifth() -> None:
    assert Cube().live_take_point((0.5, 0.0, 0.0, 0.0, 0.0), 0) == pytest.approx(0.2)


@given(all_probs(0.01), st.sampled_from([-1, 0, 1]), efficiencies, st.booleans())
def test_money_agrees_with_the_plain_reference(
    probs: tuple[float, ...], owner: int, x: float, jacoby: bool
) -> None:
    cube = Cube(value=1 if owner == -1 else 2, owner=owner, jacoby=jacoby)
    expected = money_reference(probs, owner, x, jacoby)
    assert cube.equity_no_double(probs, x) == pytest.approx(expected, abs=1e-9)


@given(all_probs(0.01), match_cubes(), efficiencies)
def test_match_agrees_with_the_plain_reference(
    probs: tuple[float, ...], cube: Cube, x: float
) -> None:
    reference = MatchReference(probs, cube.away, cube.crawford)
    mwc = cube.equity_to_mwc(cube.equity_no_double(probs, x))
    assert mwc == pytest.approx(reference.cubeful(cube.value, cube.owner, x), abs=1e-9)


@given(all_probs(0.01), match_cubes(), st.integers(0, 1))
@pytest.mark.when_changed
def test_match_take_points_agree_with_the_plain_reference(
    probs: tuple[float, ...], cube: Cube, side: int
) -> None:
    assume(cube.away[1 - side] > cube.value and not cube.crawford)
    expected = MatchReference(probs, cube.away, False).take_point(side, cube.value)
    assert cube.live_take_point(probs, side) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("answer", GNUBG_ANSWERS, ids=lambda a: f"{a[0]}@{a[3]}/{a[2]}")
def test_zero_ply_answers_are_gnubgs(answer: tuple) -> None:  # type: ignore[type-arg]
    value, owner, length, score, crawford, probs, no_double, double_take, words = answer
    cube = Cube(value=value, owner=owner, match_length=length, score=score, crawford=crawford)
    ours = cube_decision(probs, cube, 0.68)
    assert ours[:2] == pytest.approx((no_double, double_take), abs=2e-5)
    assert ours[2:] == (1.0, words)
    assert cube_action(*ours[:3], cube) == words


@given(all_probs(0.01))
def test_live_take_point_is_below_the_dead_one_for_money(probs: tuple[float, ...]) -> None:
    win = 1.0 + (probs[1] + probs[2]) / probs[0]
    lose = 1.0 + (probs[3] + probs[4]) / (1.0 - probs[0])
    assert Cube().live_take_point(probs, 0) <= (lose - 0.5) / (win + lose) + 1e-12


@given(match_cubes(), st.integers(0, 1))
def test_live_take_point_is_below_the_dead_one_without_gammons(cube: Cube, side: int) -> None:
    assume(cube.away[1 - side] > cube.value and not cube.crawford)
    probs = (0.5, 0.0, 0.0, 0.0, 0.0)
    reference = MatchReference(probs, cube.away, False)
    drop = reference.mwc(side, 0, cube.value)
    lost, won = reference.mwc(side, 0, 2 * cube.value), reference.mwc(side, 2 * cube.value, 0)
    assert cube.live_take_point(probs, side) <= (drop - lost) / (won - lost) + 1e-12


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99), match_cubes(), efficiencies)
def test_equity_never_falls_as_wins_rise(p: float, q: float, cube: Cube, x: float) -> None:
    low, high = sorted((p, q))
    # Gammon rates are the same, so only the winning chance differs.
    lower, higher = (
        cube.equity_no_double((w, 0.2 * w, 0.01 * w, 0.3 * (1 - w), 0.02 * (1 - w)), x)
        for w in (low, high)
    )
    assert lower <= higher + 1e-9


@given(all_probs(0.01), match_cubes(), efficiencies)
def test_efficiency_goes_from_the_dead_cube_to_the_live_one(
    probs: tuple[float, ...], cube: Cube, x: float
) -> None:
    dead, live = cube.equity_no_double(probs, 0.0), cube.equity_no_double(probs, 1.0)
    assert dead == pytest.approx(cube.cubeless_equity(probs), abs=1e-9)
    mixed = (1.0 - x) * dead + x * live
    assert cube.equity_no_double(probs, x) == pytest.approx(mixed, abs=1e-8)


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
