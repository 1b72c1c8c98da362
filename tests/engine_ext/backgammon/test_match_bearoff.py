"""Bear-offs at match scores are what plain Python solves, for every cube, table and thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest

from engine_ext.backgammon.alternatives import cube_alternatives, rollout_context
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.ids import parse_id, to_gnubg_id
from engine_ext.backgammon.leaf import static_equities
from engine_ext.backgammon.match_bearoff import BYTES_KEPT_MAX, kept_bytes, match_equities
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import decide_cube, evaluate, rank_moves
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.exact_bearoffs import (
    NOBODY,
    BearOff,
    Solver,
    cube_of_bear_off,
    random_bear_offs,
)
from tests.engine_ext.backgammon.gnubg_hints import hints
from tests.engine_ext.backgammon.rollouts import CUBEFUL
from tests.engine_ext.backgammon.tables import FAVOURITE

EXACT = 1e-6
"""The money table's dead cubes are floats: 2^-24, and some ten times that at the next cube."""

REPORTED = {
    "IgAAQAEAAAAAAA:AQHgADAAEAAE": (0.2313824, 0.0954951, "no redouble"),
    "FAAACAEAAAAAAA:cAngAAAAKAAA": (0.6589506, 1.4536303, "double, pass"),
}
"""Positions at which a money table stretched over the score had +.4848 and +1.9094 after a take."""


@pytest.mark.parametrize("gnubg_id", REPORTED)
@pytest.mark.parametrize("ply", [0, 1, 2, 3])
def test_reported_bear_offs_have_their_exact_answers_at_every_ply(gnubg_id: str, ply: int) -> None:
    no_double, double_take, action = REPORTED[gnubg_id]
    decision = decide_cube(parse_id(gnubg_id), ply)
    assert (decision.no_double, decision.double_take) == pytest.approx(
        (no_double, double_take), abs=EXACT
    )
    assert (decision.action, decision.level) == (action, "exact")


@pytest.mark.parametrize("gnubg_id", REPORTED)
def test_reported_bear_offs_are_rolled_out_to_their_exact_answers(gnubg_id: str) -> None:
    """A trial of no double is played on for a roll, and then ends by what is exact."""
    no_double, double_take, _ = REPORTED[gnubg_id]
    state = parse_id(gnubg_id)
    context = rollout_context(state, cube_alternatives(state))
    for is_truncated in (True, False):
        player = RolloutPlayer(replace(context, bearoff_truncation=is_truncated))
        for place, values in enumerate(player.run(0, 72, RunControl())):
            expected = double_take if place % 2 else no_double
            assert values[CUBEFUL] == pytest.approx(expected, abs=1e-5)


def check(cases: list[BearOff], number: type) -> None:
    for case in cases:
        decision = decide_cube(case.state)
        exact = case.answers(number)
        assert (decision.no_double, decision.double_take) == pytest.approx(exact, abs=EXACT), case


def test_small_bear_offs_are_exact_to_the_last_fraction() -> None:
    check(random_bear_offs(5, 12, 2), Fraction)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.when_changed
def test_bear_offs_at_random_scores_are_exact() -> None:
    """A sample: all 200 are `python -m tests.benchmarks.backgammon_bearoffs`."""
    check(random_bear_offs(6, 20, 3), Fraction)
    check(random_bear_offs(7, 4, 5), float)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.when_changed
def test_gnubg_looking_ahead_two_plies_agrees() -> None:
    """gnubg's own formula is at its leaves, so that it agrees on the average only."""
    cases = random_bear_offs(19, 100)
    answers = hints(
        [to_gnubg_id(c.state) for c in cases], "set evaluation cubedecision eval plies 2"
    )
    errors = []
    for case, hint in zip(cases, answers, strict=True):
        if hint is not None:
            ours = decide_cube(case.state)
            errors.append(
                (abs(ours.no_double - hint.no_double), abs(ours.double_take - hint.double_take))
            )
    assert len(errors) > 80
    for column in zip(*errors, strict=True):
        assert sum(column) / len(errors) <= 0.005


LATE = BearOff((5, 2), (4, 1), 1, is_owned=False, length=7, score=(6, 4))


LATE_GAMES = [
    ((6, 4), True, -1),
    ((4, 6), True, -1),
    *[(score, False, owner) for score in ((6, 4), (4, 6), (6, 6), (5, 5)) for owner in (-1, 0, 1)],
]


@pytest.mark.parametrize(("score", "crawford", "owner"), LATE_GAMES)
def test_crawford_and_later_games_and_dead_cubes_are_exact(
    score: tuple[int, int], crawford: bool, owner: int
) -> None:
    value = 1 if owner == -1 else 2
    cube = Cube(value=value, owner=owner, match_length=7, score=score, crawford=crawford)
    solver = Solver(cube.away, crawford, number=Fraction)
    holder = NOBODY if owner == -1 else owner
    expected = [
        solver.equity(0, value, answer(0, LATE.us, LATE.them, value, holder))
        for answer in (solver.rolling, solver.best)
    ]
    assert match_equities(LATE.state.position, cube) == pytest.approx(expected, abs=EXACT)


def test_a_trailer_after_the_crawford_game_redoubles_at_once() -> None:
    """The opponent's win wins him the match at any cube: the owner has nothing to lose."""
    cube = Cube(value=2, owner=0, match_length=7, score=(3, 6))
    behind = BearOff((6, 5), (2, 1), 2, is_owned=True, length=7, score=(3, 6)).state.position
    no_double, best = match_equities(behind, cube)
    taken, _ = match_equities(behind, cube.after_take())
    assert cube.mwc_to_equity(cube.after_take().equity_to_mwc(taken)) == pytest.approx(best)
    assert best > no_double


@pytest.mark.parametrize("player", [0, 1])
def test_a_table_of_unlike_players_is_each_players_own(player: int) -> None:
    table = MatchTable(FAVOURITE)
    cube = Cube(match_length=5, score=(1, 2), table=table, player=player)
    case = replace(LATE, length=5, score=(1, 2), us=(4, 3), them=(5, 1))
    away = case.away if player == 0 else case.away[::-1]
    solver = Solver(away, met=FAVOURITE, number=Fraction)
    chance = solver.best(player, case.us, case.them, 1, NOBODY)
    _, best = match_equities(case.state.position, cube)
    assert best == pytest.approx(solver.equity(player, 1, chance), abs=EXACT)


def test_scores_seen_from_both_sides_are_one() -> None:
    """What one player's opponent owns is what the other owns, with the same planes."""
    cases = [case for case in random_bear_offs(8, 20, 3) if case.away[0] != case.away[1]]
    for case in cases:
        cube, position = cube_of_bear_off(case), case.state.position
        match_equities(position, cube)
        kept = kept_bytes()
        match_equities(position.swapped(), cube.swapped())
        assert kept_bytes() == kept


@pytest.mark.slow
def test_planes_that_were_let_go_come_again_with_the_same_bits() -> None:
    """Memory is bounded over any number of scores."""
    cases = random_bear_offs(9, 60, 4)
    first = [match_equities(case.state.position, cube_of_bear_off(case)) for case in cases]
    assert kept_bytes() <= BYTES_KEPT_MAX
    for case, equities in zip(reversed(cases), reversed(first), strict=True):
        assert match_equities(case.state.position, cube_of_bear_off(case)) == equities


@pytest.mark.slow
def test_threads_that_solve_at_once_have_the_same_bits() -> None:
    """Whoever solves a state first, and however often: nobody waits for another."""
    cases = [replace(case, length=13, score=(2, 3)) for case in random_bear_offs(10, 24, 5)]
    cases = [replace(case, cube_value=1, is_owned=False) for case in cases]

    def answers(order: int) -> list[tuple[float, float]]:
        ordered = cases[::order]
        found = [evaluate_of(case) for case in ordered]
        return found[::order]

    with ThreadPoolExecutor(4) as pool:
        one, *others = pool.map(answers, (1, -1, 1, -1))
    assert others == [one] * 3


def evaluate_of(case: BearOff) -> tuple[float, float]:
    evaluation = evaluate(case.state)
    return evaluation.equity_cubeless, evaluation.equity_cubeful


def test_only_a_bear_off_at_a_match_score_is_answered_for() -> None:
    with pytest.raises(ValueError, match="money"):
        match_equities(LATE.state.position, Cube())
    for position in (START, Position([15] + [0] * 25, [14, 1] + [0] * 24)):
        with pytest.raises(ValueError, match="two-sided"):
            match_equities(position, Cube(match_length=3))


def test_moves_are_chosen_by_what_they_are_worth_at_the_score() -> None:
    """The value of a roll's best move is the best of the exact values after it."""
    case = BearOff((5, 4, 2), (3, 2, 1), 2, is_owned=True, length=7, score=(3, 2))
    state = case.state
    best = rank_moves(state, (3, 1), 2)[0]
    solver = Solver(case.away, number=Fraction)
    worst = min(
        solver.best(1, case.them, after, 2, 0) for after in ((4, 2, 1), (5, 2), (5, 4), (4, 3, 1))
    )
    assert best.equity_cubeful == pytest.approx(solver.equity(0, 2, 1 - worst), abs=EXACT)
    assert best.level == "exact"


def test_a_leaf_is_what_the_planes_say() -> None:
    for case in random_bear_offs(11, 10, 4):
        cube = cube_of(case.state.match)
        assert static_equities(case.state.position, cube) == match_equities(
            case.state.position, cube
        )
