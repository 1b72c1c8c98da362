"""A plane filled in one go has what its definition says, to the last bit, in every cell."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest

from engine_ext.backgammon.bearoff_planes import shared_plays
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_bearoff import match_equities
from engine_ext.backgammon.movegen import legal_moves
from tests.engine_ext.backgammon.exact_bearoffs import (
    NOBODY,
    BearOff,
    Solver,
    cube_of_bear_off,
    random_bear_offs,
)

ONE = 2**29
"""Equity 1 in cells."""

LOST = 1
"""The cell of who is on roll when the other has finished."""

LENGTH, SCORE = 17, (5, 8)
SIX = Position([9] + [0] * 5 + [6] + [0] * 19, [9] + [0] * 5 + [6] + [0] * 19)
"""What can follow it fills a plane."""

OWNED = list(product((2, 4, 8), (0, 1)))
ROLLS = [*combinations_with_replacement(range(1, 7), 2)]

pytestmark = pytest.mark.slow


def cube_at(value: int = 1, owner: int = -1, score: tuple[int, int] = SCORE) -> Cube:
    return Cube(value=value, owner=owner, match_length=LENGTH, score=score)


@cache
def fill() -> None:
    """Have the plane of the centred cube filled, and those of the cubes that it can become."""
    match_equities(SIX, cube_at())


def cell(equity: float) -> int:
    """Return the cell of an equity, which is a whole number of units of 2^-29."""
    units = equity * ONE
    assert units.is_integer()
    return int(units) + ONE + 1


def cell_after(after: Position, cube: Cube) -> int:
    """Return the cell of the opponent, who is on roll after a play."""
    if after.result:
        return LOST
    return cell(match_equities(after.swapped(), cube.swapped())[1])


def cell_of_rolls(position: Position, cube: Cube) -> int:
    """Return the cell of who rolls now: the mean of the best plays, rounded half up once."""
    total = 0
    for dice in ROLLS:
        best = min(cell_after(move.after, cube) for move in legal_moves(position, dice))
        total += (1 if dice[0] == dice[1] else 2) * best
    return 2 * ONE + 2 - (total + 18) // 36


def positions(seed: int, count: int, checkers_max: int = 6) -> list[Position]:
    return [case.state.position for case in random_bear_offs(seed, count, checkers_max)]


def check_rolls(cube: Cube, seed: int) -> None:
    for position in positions(seed, 12):
        no_double, best = map(cell, match_equities(position, cube))
        assert no_double == cell_of_rolls(position, cube)
        assert (best >= no_double) if cube.may_double else (best == no_double)


@pytest.mark.parametrize(("value", "owner"), [(1, -1), *OWNED])
def test_a_cell_is_the_mean_of_the_best_plays_of_all_rolls(value: int, owner: int) -> None:
    fill()
    check_rolls(cube_at(value, owner), seed=value)


@pytest.mark.parametrize(("value", "owner"), [(1, -1), *OWNED])
def test_a_cell_has_the_double_where_that_is_better(value: int, owner: int) -> None:
    """The opponent takes or passes as is best for him; a double that is taken is his cube."""
    fill()
    cube, doubled_count = cube_at(value, owner), 0
    for position in positions(value + 20, 40):
        no_double, best = match_equities(position, cube)
        doubled = -1.0
        if cube.may_double:
            turned = cube.after_take()
            taken, _ = match_equities(position, turned)
            doubled = min(1.0, cube.mwc_to_equity(turned.equity_to_mwc(taken)))
        assert best == pytest.approx(max(no_double, doubled), abs=4 / ONE)
        doubled_count += best > no_double
    assert (doubled_count > 0) == cube.may_double


def test_filled_planes_are_what_plain_python_solves() -> None:
    fill()
    solver = Solver((LENGTH - SCORE[0], LENGTH - SCORE[1]), number=Fraction)
    for case in random_bear_offs(13, 12, 2):
        chance = solver.best(0, case.us, case.them, 1, NOBODY)
        _, best = match_equities(case.state.position, cube_at())
        assert best == pytest.approx(solver.equity(0, 1, chance), abs=1e-6)


def at_another_score(case: BearOff) -> BearOff:
    return replace(case, length=LENGTH, score=(6, 8))


@pytest.mark.when_changed
def test_a_plane_filled_at_once_has_the_bits_of_cells_solved_one_by_one() -> None:
    """From so many cells on a plane is filled, over the cells that it has."""
    cases = [at_another_score(case) for case in random_bear_offs(12, 40, 3)]
    cases = [case for case in cases if case.away[0] > case.cube_value]
    centred = cube_at(score=(6, 8))
    cubes = [cube_of_bear_off(case) for case in cases] + [centred] * len(cases)
    asked = [case.state.position for case in cases] * 2
    alone = [match_equities(*one) for one in zip(asked, cubes, strict=True)]
    match_equities(SIX, centred)
    assert [match_equities(*one) for one in zip(asked, cubes, strict=True)] == alone


def test_threads_that_fill_the_same_plane_store_the_same_bits() -> None:
    cube = cube_at(score=(7, 8))
    with ThreadPoolExecutor(4) as pool:
        found = {*pool.map(lambda _: match_equities(SIX, cube), range(4))}
    assert len(found) == 1
    check_rolls(cube, seed=5)


def test_a_process_lists_the_plays_of_boards_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert {*pool.map(lambda _: id(shared_plays()), range(8))} == {id(shared_plays())}
