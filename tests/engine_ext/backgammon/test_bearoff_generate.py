"""Generated bear-off tables against plain Python recursions in exact fractions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb

import pytest

from engine_ext.backgammon.bearoff import Bearoff
from engine_ext.backgammon.bearoff_cache import TABLES_DIGEST
from engine_ext.backgammon.bearoff_generate import board_index, generate_tables

Home = tuple[int, ...]

ROLLS = [(a, b, 1 if a == b else 2) for a in range(1, 7) for b in range(1, a + 1)]
OVER: Home = (0,) * 6


@pytest.fixture(scope="module")
def tables() -> bytes:
    return generate_tables()


@pytest.fixture(scope="module")
def bearoff(tables: bytes) -> Bearoff:
    return Bearoff(tables)


@pytest.fixture(scope="module")
def cells(tables: bytes) -> memoryview[float]:
    """The two-sided table, four floats a pair of boards."""
    return memoryview(tables)[: 924 * 924 * 16].cast("f")


def homes(checkers_max: int) -> Iterator[Home]:
    for count in range(checkers_max + 1):
        for points in combinations_with_replacement(range(6), count):
            yield tuple(points.count(point) for point in range(6))


def after_die(home: Home, die: int) -> Iterator[Home]:
    """Yield the boards after one die, by the rules' own words."""
    for point in range(1, 7):
        if home[point - 1] == 0:
            continue
        if point < die and any(home[point:]):
            continue
        moved = list(home)
        moved[point - 1] -= 1
        if point > die:
            moved[point - die - 1] += 1
        yield tuple(moved)


@cache
def successors(home: Home, first: int, second: int) -> frozenset[Home]:
    orders = {(first, second), (second, first)} if first != second else {(first,) * 4}
    found = set()
    for dice in orders:
        boards = {home}
        for die in dice:
            boards = {b for board in boards for b in tuple(after_die(board, die)) or (board,)}
        found |= boards
    return frozenset(found)


@cache
def expected_rolls(home: Home) -> Fraction:
    if home == OVER:
        return Fraction(0)
    best = (weight * min(map(expected_rolls, successors(home, a, b))) for a, b, weight in ROLLS)
    return 1 + sum(best, Fraction(0)) / 36


@cache
def cubeless(us: Home, them: Home) -> Fraction:
    if them == OVER:
        return Fraction(-1)
    if us == OVER:
        return Fraction(1)
    best = (w * max(-cubeless(them, after) for after in successors(us, a, b)) for a, b, w in ROLLS)
    return sum(best, Fraction(0)) / 36


@cache
def no_double(us: Home, them: Home, owner: int) -> Fraction:
    """Money equity when we roll now; owner: 1 we, 0 nobody, -1 they."""
    if OVER in (us, them):
        return Fraction(1 if us == OVER else -1)
    best = (
        w * max(-with_cube(them, after, -owner) for after in successors(us, a, b))
        for a, b, w in ROLLS
    )
    return sum(best, Fraction(0)) / 36


@cache
def with_cube(us: Home, them: Home, owner: int) -> Fraction:
    rolled = no_double(us, them, owner)
    if owner < 0 or OVER in (us, them):
        return rolled
    return max(rolled, min(Fraction(1), 2 * no_double(us, them, -1)))


def test_tables_are_the_same_bytes_everywhere(tables: bytes) -> None:
    assert hashlib.sha256(tables).hexdigest() == TABLES_DIGEST


def test_index_numbers_every_home_board_once() -> None:
    boards = list(homes(6))
    assert len(boards) == comb(12, 6)
    assert {board_index(board) for board in boards} == set(range(comb(12, 6)))
    full = [board for board in homes(15) if sum(board) == 15]
    assert {board_index(board) for board in full} == set(range(comb(20, 6), comb(21, 6)))


@pytest.mark.parametrize("home", [(0, 1, 2, 3, 4, 5), (15, 0, 0, 0, 0, 0), (2, 2, 2, 3, 3, 3)])
def test_every_play_lowers_the_index(home: Home) -> None:
    for a, b, _ in ROLLS:
        assert all(board_index(after) < board_index(home) for after in successors(home, a, b))


@pytest.mark.parametrize("points", [(), (1,) * 5, (1,) * 7, (16, 0, 0, 0, 0, 0), (8, 8, 0, 0, 0, 0),
                                    (-1, 1, 0, 0, 0, 0)])  # fmt: skip
def test_index_of_an_impossible_home_board_is_refused(points: Home) -> None:
    with pytest.raises(ValueError, match=r"6 points|15 checkers"):
        board_index(points)


def test_expected_rolls_equal_the_exact_recursion(bearoff: Bearoff) -> None:
    for home in homes(4):
        chances = bearoff.off_chances(home)
        mean = sum(rolls * chance for rolls, chance in enumerate(chances))
        assert mean == pytest.approx(float(expected_rolls(home)), abs=len(chances) * 2**-17)


def test_first_checker_off_counts_the_rolls_that_can(bearoff: Bearoff) -> None:
    # From the 6-point: any 6 (11 of 36), and exactly six pips by 5-1, 4-2, 3-3 and 2-2 (6).
    assert bearoff.first_off_chances((15, 0, 0, 0, 0, 0)) == (0.0, 1.0)
    chance = bearoff.first_off_chances((0, 0, 0, 0, 0, 15))[1]
    assert chance == pytest.approx(17 / 36, abs=2**-16)


def test_fewer_than_fifteen_checkers_have_one_off_already(bearoff: Bearoff) -> None:
    assert bearoff.first_off_chances((0, 0, 0, 0, 0, 14)) == (1.0,)


@pytest.mark.parametrize("owner", [1, 0, -1])
def test_two_sided_cubeful_equals_negamax_in_fractions(
    cells: memoryview[float], owner: int
) -> None:
    for us, them in product(homes(2), repeat=2):
        cell = (board_index(us) * 924 + board_index(them)) * 4
        assert cells[cell + 2 - owner] == pytest.approx(float(no_double(us, them, owner)), abs=6e-8)


def test_two_sided_cubeless_equals_negamax_in_fractions(cells: memoryview[float]) -> None:
    for us, them in product(homes(2), repeat=2):
        cell = (board_index(us) * 924 + board_index(them)) * 4
        value = cells[cell]
        if us == them == OVER:
            continue
        assert value == pytest.approx(float(cubeless(us, them)), abs=6e-8)


@pytest.mark.slow
def test_every_two_sided_cell_follows_from_one_roll_more(cells: memoryview[float]) -> None:
    boards = list(homes(6))[1:]

    def equity(us: Home, them: Home, owner: int) -> float:
        at = (board_index(us) * 924 + board_index(them)) * 4
        rolled = cells[at + 2 - owner]
        return rolled if owner < 0 else max(rolled, min(1.0, 2 * cells[at + 3]))

    pairs = [(boards[7 * i % 923], boards[(31 * i + 5) % 923]) for i in range(1, 200)]
    for (us, them), owner in product(pairs, (1, 0, -1)):
        total = 0.0
        for a, b, weight in ROLLS:
            total += weight * max(-equity(them, after, -owner) for after in successors(us, a, b))
        at = (board_index(us) * 924 + board_index(them)) * 4
        assert cells[at + 2 - owner] == pytest.approx(total / 36, abs=2e-7)
