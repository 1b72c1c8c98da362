"""Cubes, alone or several side by side, have the equities of plain backgammon theory."""

import random
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.cube import (
    Cube,
    cube_action,
    cube_decision,
    efficiency,
)
from engine_ext.backgammon.evaluate import position_class
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable, shared_match_table
from engine_ext.backgammon.met import AWAY_MAX, Met, kazaross_xg2
from engine_ext.backgammon.met_xml import met_from_xml
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.chances import all_probs, efficiencies
from tests.engine_ext.backgammon.gnubg_hints import hints
from tests.engine_ext.backgammon.positions import played_positions
from tests.engine_ext.backgammon.tables import FAVOURITE

GNUBG_METS = Path("/usr/share/gnubg/met")


# The numbers of evaluate.pxd's PositionClass.
CLASSES = ["over", "bearoff-two-sided", "bearoff-one-sided", "race", "contact"]
EVEN = (0.5, 0.13, 0.006, 0.13, 0.006)


@st.composite
def cubes(draw: st.DrawFn) -> Cube:
    length = draw(st.sampled_from([0, 0, 1, 2, 3, 5, 7, 11, 25, 40, AWAY_MAX]))
    value = draw(st.sampled_from([1, 1, 2, 4, 16, 4096]))
    owner = -1 if value == 1 else draw(st.integers(0, 1))
    if length == 0:
        jacoby, beavers = draw(st.booleans()), draw(st.booleans())
        return Cube(value=value, owner=owner, jacoby=jacoby, beavers=beavers)
    score = (draw(st.integers(0, length - 1)), draw(st.integers(0, length - 1)))
    crawford = max(score) == length - 1 and draw(st.booleans())
    return Cube(value=value, owner=owner, match_length=length, score=score, crawford=crawford)


def swapped_probs(probs: tuple[float, ...]) -> tuple[float, ...]:
    return (1.0 - probs[0], probs[3], probs[4], probs[1], probs[2])


def at_score(away: tuple[int, int], value: int = 1, owner: int = -1) -> Cube:
    """A cube of the shortest match with these away scores."""
    length = max(away)
    score = (length - away[0], length - away[1])
    return Cube(value=value, owner=owner, match_length=length, score=score)


@given(all_probs(), cubes(), efficiencies)
def test_swapping_the_sides_negates(probs: tuple[float, ...], cube: Cube, x: float) -> None:
    mine = cube.equity_no_double(probs, x)
    other = cube.swapped().equity_no_double(swapped_probs(probs), x)
    # Normalising stretches the rounding of 1 - p at lopsided scores: compare in mwc.
    difference = cube.equity_to_mwc(mine) - cube.equity_to_mwc(-other)
    assert difference == pytest.approx(0.0, abs=1e-9)


@given(cubes())
def test_swapping_twice_is_the_same_cube(cube: Cube) -> None:
    again = cube.swapped().swapped()
    for name in ("value", "owner", "match_length", "away", "crawford", "jacoby", "beavers"):
        assert getattr(again, name) == getattr(cube, name)


@given(all_probs(), cubes(), efficiencies)
def test_best_action_takes_the_best_answer(probs: tuple[float, ...], cube: Cube, x: float) -> None:
    no_double, double_take, double_pass, action = cube_decision(probs, cube, x)
    best = cube.equity_optimal(probs, x)
    assert double_pass == 1.0
    if cube.may_double:
        assert best == max(no_double, min(cube.equity_not_passed(double_take), double_pass))
        worth = {"no": no_double, "too": no_double, "take": double_take, "pass": 1.0,
                 "beaver": 2.0 * double_take}  # fmt: skip
        first, last = action.split()[0], action.split()[-1]
        assert best == worth[first if first in ("no", "too") else last]
    else:
        assert best == no_double
        assert action in ("no double", "no redouble")


@given(cubes(), st.floats(-3.0, 3.0))
def test_equity_and_mwc_are_inverse_maps(cube: Cube, equity: float) -> None:
    mwc = cube.equity_to_mwc(equity)
    assert cube.equity_to_mwc(cube.mwc_to_equity(mwc)) == pytest.approx(mwc, abs=1e-12)
    assert cube.equity_to_mwc(1.0) >= cube.equity_to_mwc(-1.0)


@given(cubes())
def test_single_game_is_worth_one_and_more_is_worth_no_less(cube: Cube) -> None:
    values = [cube.outcome_equity(points) for points in (-3, -2, -1, 1, 2, 3)]
    assert values[2:4] == pytest.approx([-1.0, 1.0])
    assert values == sorted(values)


@given(all_probs(), st.integers(2, 25), efficiencies)
def test_crawford_game_is_cubeless(probs: tuple[float, ...], away: int, x: float) -> None:
    cube = Cube(match_length=away, score=(0, away - 1), crawford=True)
    assert not cube.may_double
    assert not cube.swapped().may_double
    assert cube.equity_optimal(probs, x) == cube.cubeless_equity(probs)


@given(all_probs(), st.integers(1, 25), efficiencies)
def test_double_match_point_counts_wins_alone(
    probs: tuple[float, ...], length: int, x: float
) -> None:
    cube = Cube(match_length=length, score=(length - 1, length - 1))
    assert not cube.may_double
    assert cube.equity_optimal(probs, x) == pytest.approx(2.0 * probs[0] - 1.0, abs=1e-12)


@given(all_probs(), efficiencies)
def test_dead_cube_is_cubeless(probs: tuple[float, ...], x: float) -> None:
    # 4-away owns a cube at 4: his win already wins the match.
    cube = at_score((4, 7), value=4, owner=0)
    assert not cube.may_double
    assert cube.equity_no_double(probs, x) == cube.cubeless_equity(probs)


def test_trailer_after_the_crawford_game_doubles_at_once() -> None:
    # 3-away against 1-away: losing one point loses the match anyway.
    trailer = Cube(match_length=7, score=(4, 6))
    assert cube_decision(EVEN, trailer, 0.68)[3] == "double, take"
    assert not trailer.swapped().may_double


def test_leader_after_the_crawford_game_has_a_free_drop_at_2_away() -> None:
    trailer = Cube(match_length=7, score=(5, 6))
    # Passing costs him next to nothing, taking a gammonless underdog does: .5 against .488.
    assert cube_decision((0.52, 0.0, 0.0, 0.0, 0.0), trailer, 0.68)[3] == "double, pass"
    assert cube_decision((0.50, 0.0, 0.0, 0.0, 0.0), trailer, 0.68)[3] == "double, take"


def test_jacoby_makes_an_unturned_cube_gammonless() -> None:
    probs = (0.7, 0.5, 0.0, 0.0, 0.0)
    assert Cube(jacoby=True).equity_no_double(probs, 0.0) == pytest.approx(0.4)
    assert Cube().equity_no_double(probs, 0.0) == pytest.approx(0.9)
    owned = [Cube(value=2, owner=0, jacoby=jacoby) for jacoby in (False, True)]
    assert owned[0].equity_no_double(probs, 0.7) == owned[1].equity_no_double(probs, 0.7)


def test_money_cubeful_equity_does_not_know_the_stake() -> None:
    low, high = (Cube(value=value, owner=1) for value in (2, 1024))
    assert low.equity_no_double(EVEN, 0.68) == high.equity_no_double(EVEN, 0.68)


def test_cube_at_its_greatest_value_is_dead() -> None:
    cube = Cube(value=4096, owner=0)
    assert not cube.may_double
    assert cube.equity_no_double(EVEN, 0.68) == cube.cubeless_equity(EVEN)
    with pytest.raises(ValueError, match="may not double"):
        cube.after_take()


@given(cubes())
def test_taken_cube_is_twice_as_high_and_the_opponents(cube: Cube) -> None:
    assume(cube.may_double)
    taken = cube.after_take()
    assert (taken.value, taken.owner, taken.away) == (2 * cube.value, 1, cube.away)


@pytest.mark.parametrize(
    ("equities", "cube", "action"),
    [
        ((0.5, 0.4, 1.0), Cube(), "no double"),
        ((0.5, 0.6, 1.0), Cube(), "double, take"),
        ((0.5, 1.2, 1.0), Cube(), "double, pass"),
        ((0.5, 1.0, 1.0), Cube(), "double, take"),
        ((1.1, 1.2, 1.0), Cube(), "too good to double, pass"),
        ((1.1, 0.9, 1.0), Cube(), "too good to double, take"),
        ((0.5, 0.6, 1.0), Cube(value=2, owner=0), "redouble, take"),
        ((0.5, 1.6, 1.0), Cube(value=2, owner=0), "redouble, pass"),
        ((0.5, 0.4, 1.0), Cube(value=2, owner=0), "no redouble"),
        ((1.1, 1.6, 1.0), Cube(value=2, owner=0), "too good to redouble, pass"),
        ((0.5, 0.6, 1.0), Cube(value=2, owner=1), "no double"),
        ((-0.1, -0.4, 1.0), Cube(beavers=True), "no double, beaver"),
        ((-0.1, -0.4, 1.0), Cube(), "no double"),
        ((-0.4, -0.1, 1.0), Cube(beavers=True, jacoby=True), "double, beaver"),
        # Right if it is taken, wrong once it is beavered.
        ((-0.3, -0.2, 1.0), Cube(beavers=True, jacoby=True), "no double, beaver"),
        ((-0.3, -0.2, 1.0), Cube(jacoby=True), "double, take"),
        ((-0.1, -0.4, 1.0), Cube(value=2, owner=0, beavers=True), "no redouble, beaver"),
        ((-0.1, -0.4, 1.0), Cube(value=1024, owner=0, beavers=True), "no redouble"),
    ],
)
def test_action_names_the_decision(
    equities: tuple[float, float, float], cube: Cube, action: str
) -> None:
    assert cube_action(*equities, cube) == action


@given(cubes(), st.floats(-4.0, 4.0))
def test_a_beaver_doubles_what_the_taker_gains(cube: Cube, double_take: float) -> None:
    is_gain = cube.beavers and cube.may_double and cube.value <= 512 and double_take < 0.0
    assert cube.is_beavered(double_take) == is_gain
    not_passed = cube.equity_not_passed(double_take)
    assert not_passed == (2.0 * double_take if is_gain else double_take)
    assert not_passed <= double_take


@given(all_probs(), efficiencies, st.booleans())
def test_a_beavered_cube_is_worth_twice_the_taken_one(
    probs: tuple[float, ...], x: float, jacoby: bool
) -> None:
    cube = Cube(jacoby=jacoby, beavers=True)
    beavered = Cube(value=4, owner=1, jacoby=jacoby, beavers=True)
    double_take = cube_decision(probs, cube, x)[1]
    assert 4.0 * beavered.equity_no_double(probs, x) == 2.0 * double_take


@given(all_probs(), cubes(), efficiencies)
@pytest.mark.when_changed
def test_beavers_never_help_the_doubler(probs: tuple[float, ...], cube: Cube, x: float) -> None:
    assume(cube.match_length == 0)
    plain = Cube(value=cube.value, owner=cube.owner, jacoby=cube.jacoby)
    assert cube.equity_optimal(probs, x) <= plain.equity_optimal(probs, x)
    if not cube_decision(probs, cube, x)[3].endswith("beaver"):
        assert cube.equity_optimal(probs, x) == plain.equity_optimal(probs, x)


def race(point: int) -> Position:
    """Fifteen checkers each, all on one point of the own outer board."""
    side = [0] * 26
    side[point] = 15
    return Position(side, side)


def bearoff(checkers: int) -> Position:
    side = [15 - checkers, checkers, *[0] * 24]
    return Position(side, side)


@pytest.mark.parametrize(
    ("position", "expected"),
    [(START, 0.68), (bearoff(3), 0.6), (bearoff(9), 0.6), (race(7), 0.681_25), (race(8), 0.7)],
)
def test_efficiency_follows_class_and_pip_count(position: Position, expected: float) -> None:
    number = CLASSES.index(position_class(position))
    # A race of 15 checkers on the 7 point has 105 pips: .6 + .1 * (105 - 40) / 80.
    assert efficiency(position, number) == pytest.approx(expected)


def test_match_is_played_by_the_table_given() -> None:
    met = Met("flat", 2, ((0.5, 0.6), (0.4, 0.5)), (0.5, 0.45))
    table = MatchTable(met)
    assert table.met is met
    cube = Cube(match_length=2, table=table)
    assert cube.equity_to_mwc(1.0) == pytest.approx(0.6)
    assert Cube(match_length=2).equity_to_mwc(1.0) == pytest.approx(0.67736)
    assert shared_match_table().met == kazaross_xg2()


@given(all_probs(), st.integers(0, 1), st.sampled_from([(1, 2), (2, 2), (3, 2), (3, 3), (40, 7)]))
@pytest.mark.when_changed
def test_a_table_of_different_players_goes_by_who_is_on_roll(
    probs: tuple[float, ...], player: int, away: tuple[int, int]
) -> None:
    cube = Cube(
        match_length=max(away),
        score=(max(away) - away[0], max(away) - away[1]),
        table=MatchTable(FAVOURITE),
        player=player,
    )
    mine, other = away
    post = 1 in away
    wins = FAVOURITE.mwc(mine - 1, other, post_crawford=post, player=player)
    assert cube.equity_to_mwc(1.0) == pytest.approx(wins, abs=1e-15)
    loses = FAVOURITE.mwc(mine, other - 1, post_crawford=post, player=player)
    assert cube.equity_to_mwc(-1.0) == pytest.approx(loses, abs=1e-15)
    swapped = cube.swapped()
    assert swapped.equity_to_mwc(1.0) == pytest.approx(1.0 - loses, abs=1e-15)
    assert swapped.swapped().equity_to_mwc(1.0) == cube.equity_to_mwc(1.0)
    theirs = swapped.equity_to_mwc(swapped.equity_no_double(swapped_probs(probs), 0.68))
    ours = cube.equity_to_mwc(cube.equity_no_double(probs, 0.68))
    assert ours + theirs == pytest.approx(1.0, abs=1e-9)


def test_a_score_at_which_a_game_is_worth_nothing_has_no_equities() -> None:
    table = MatchTable(Met("flat", 2, ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5)))
    assert Cube(match_length=1, table=table).equity_to_mwc(1.0) == 1.0
    with pytest.raises(ValueError, match="a game at 2-away 2-away is worth nothing"):
        Cube(match_length=2, table=table)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"match_length": 3, "player": 2}, "player 0 or player 1"),
        ({"value": 3}, "power of two"),
        ({"value": 8192}, "4096"),
        ({"owner": 2}, "owner"),
        ({"match_length": 65}, "64"),
        ({"match_length": -1}, "64"),
        ({"match_length": 5, "score": (5, 0)}, "0 to 4"),
        ({"match_length": 5, "score": (0, -1)}, "0 to 4"),
        ({"match_length": 5, "score": (0, 0), "crawford": True}, "Crawford"),
        ({"crawford": True}, "Crawford"),
    ],
)
def test_impossible_cube_is_refused(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Cube(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "probs", [(0.5,) * 4, (0.5,) * 6, (1.1, 0, 0, 0, 0), (float("nan"), 0, 0, 0, 0)]
)
def test_impossible_probs_are_refused(probs: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="prob"):
        cube_decision(probs, Cube(), 0.68)


@pytest.mark.parametrize("x", [-0.1, 1.1, float("nan")])
def test_impossible_efficiency_is_refused(x: float) -> None:
    with pytest.raises(ValueError, match="efficiency"):
        Cube().equity_no_double(EVEN, x)


def in_contact(seed: int, count: int) -> list[Position]:
    return [p for p in played_positions(seed, count) if position_class(p) == "contact"]


def at_random_scores(seed: int, count: int) -> list[GameState]:
    """Contact, either player on roll, at scores where gnubg has no rule of its own (janowski)."""
    rng = random.Random(seed)
    states = []
    for position in in_contact(seed, count):
        length = rng.randint(5, 13)
        score = (rng.randint(0, length - 2), rng.randint(0, length - 2))
        match = MatchState(match_length=length, score=score, player_on_roll=rng.randint(0, 1))
        if match.away != (2, 2):
            states.append(GameState(position, match))
    return states


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("name", ["woolsey", "jac050", "jac100"])
def test_equities_by_other_tables_are_gnubgs(name: str) -> None:
    path = GNUBG_METS / f"{name}.xml"
    table = MatchTable(met_from_xml(path.read_text(encoding="utf-8")))
    states = at_random_scores(4, 40)
    answers = hints([to_gnubg_id(state) for state in states], f"set matchequitytable {path}")
    assert len(states) > 20
    for state, answer in zip(states, answers, strict=True):
        assert answer is not None
        match = state.match
        cube = Cube(
            match_length=match.match_length,
            score=match.score,
            table=table,
            player=match.player_on_roll,
        )
        ours = cube_decision(answer.probs, cube, 0.68)
        assert ours[:2] == pytest.approx((answer.no_double, answer.double_take), abs=2e-5)


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("jacoby", [True, False])
def test_beavers_are_named_where_gnubg_names_them(jacoby: bool) -> None:
    states = [GameState(p, MatchState(jacoby=jacoby)) for p in in_contact(9, 150)]
    answers = hints([to_gnubg_id(state) for state in states], "set beavers 1")
    beavers = 0
    for answer in answers:
        assert answer is not None
        equities = answer.no_double, answer.double_take, answer.double_pass
        ours = cube_action(*equities, Cube(jacoby=jacoby, beavers=True))
        # gnubg calls a double by which the doubler loses over 2 points a plain take.
        is_named = answer.double_take >= -2.0 or "beaver" not in ours
        words = answer.words if is_named else answer.words.replace("take", "beaver")
        assert ours == words.replace("no double, take", "no double")
        beavers += "beaver" in ours
        assert cube_decision(answer.probs, Cube(jacoby=jacoby), 0.68)[:2] == pytest.approx(
            equities[:2], abs=2e-5
        )
    assert beavers > 20


POSITION = position_from_id("bW7AAAvD3QMHAA")
OPEN = position_from_id("u26AAQZutg0YAA")  # a double and a take, both close


@pytest.mark.parametrize(
    "cube", [Cube(), Cube(value=2, owner=0), Cube(match_length=9, score=(2, 3))], ids=range(3)
)
@pytest.mark.parametrize("ply", [1, 2])
def test_the_taken_cube_beside_the_idle_one_is_worth_what_it_is_alone(cube: Cube, ply: int) -> None:
    searcher, control = Searcher(is_cached=False), RunControl()
    beside = searcher.answer_cube(POSITION, cube, ply, control)
    taken = cube.after_take()
    alone = searcher.answer_cube(POSITION, taken, ply, control)
    assert beside is not None
    assert alone is not None
    assert not alone[0]
    scale = 1 if cube.match_length else 2
    worth = scale * cube.mwc_to_equity(taken.equity_to_mwc(alone[1]))
    # Far from a double both are followed in one walk, whose replies the first state's measure
    # chooses, so that the two agree as far as the choices do.
    assert beside[2] == pytest.approx(worth, abs=0.06)


@pytest.mark.parametrize("ply", [1, 2])
def test_where_the_question_is_open_the_taken_cube_is_worth_exactly_what_it_is_alone(
    ply: int,
) -> None:
    searcher, control, cube = Searcher(is_cached=False), RunControl(), Cube(jacoby=True)
    asked = searcher.answer_cube(OPEN, cube, ply, control)
    alone = searcher.answer_cube(OPEN, cube.after_take(), ply, control)
    assert asked is not None
    assert alone is not None
    assert asked[1] - 0.2 < asked[2] < 1.2
    assert asked[2] == 2 * alone[1]


def test_a_dead_cube_is_followed_by_itself_alone() -> None:
    searcher, control = Searcher(), RunControl()
    cube = Cube(match_length=3, score=(2, 2))
    answer = searcher.answer_cube(POSITION, cube, 2, control)
    cubeless = searcher.evaluate(POSITION, cube, 2, control, is_cubeful=False)
    assert answer is not None
    assert cubeless is not None
    assert answer[0] is False
    assert answer[1] == pytest.approx(cubeless[1], abs=1e-12)
