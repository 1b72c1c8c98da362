"""Bear-off tables are those of plain recursions, whole planes also, and survive a bad cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb
from pathlib import Path

import pytest

from engine_ext.backgammon.bearoff import Bearoff
from engine_ext.backgammon.bearoff_cache import (
    CACHE_BYTES_MAX,
    TABLES_DIGEST,
    cache_path,
    load_tables,
)
from engine_ext.backgammon.bearoff_generate import board_index, generate_tables
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


class Generator:
    """Counts how often the tables are asked for."""

    def __init__(self, tables: bytes) -> None:
        self.tables = tables
        self.call_count = 0

    def __call__(self) -> bytes:
        self.call_count += 1
        return self.tables


@pytest.fixture
def generator(tables: bytes) -> Generator:
    return Generator(tables)


def test_first_use_generates_and_the_second_reads(generator: Generator, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "tables.bin"
    assert load_tables(generator, path) == generator.tables
    assert load_tables(generator, path) == generator.tables
    assert generator.call_count == 1
    assert list(path.parent.iterdir()) == [path]


def damage_one_bit(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(damage_one_bit, id="one bit"),
        pytest.param(lambda content: content[:-1], id="truncated"),
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: content + b"x", id="longer"),
        pytest.param(lambda content: b"x" * (CACHE_BYTES_MAX + 1), id="far too long"),
    ],
)
def test_damaged_file_is_replaced(
    damage: Callable[[bytes], bytes], generator: Generator, tmp_path: Path
) -> None:
    path = tmp_path / "tables.bin"
    path.write_bytes(damage(generator.tables))
    assert load_tables(generator, path) == generator.tables
    assert generator.call_count == 1
    assert hashlib.sha256(path.read_bytes()).hexdigest() == TABLES_DIGEST
    assert list(tmp_path.iterdir()) == [path]


def test_unwritable_place_keeps_tables_in_memory(generator: Generator, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    assert load_tables(generator, blocker / "tables.bin") == generator.tables
    assert blocker.read_text() == "not a folder"


def test_folder_in_the_files_place_is_left_alone(generator: Generator, tmp_path: Path) -> None:
    path = tmp_path / "tables.bin"
    (path / "inside").mkdir(parents=True)
    assert load_tables(generator, path) == generator.tables
    assert list(tmp_path.iterdir()) == [path]
    assert (path / "inside").is_dir()


def test_xdg_cache_home_is_honoured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_path() == tmp_path / "manyply" / f"bearoff-{TABLES_DIGEST[:16]}.bin"


ONE = 2**29
"""Equity 1 in cells."""

LOST = 1
"""The cell of who is on roll when the other has finished."""

LENGTH, SCORE = 17, (5, 8)
SIX = Position([9] + [0] * 5 + [6] + [0] * 19, [9] + [0] * 5 + [6] + [0] * 19)
"""What can follow it fills a plane."""

OWNED = list(product((2, 4, 8), (0, 1)))
UNORDERED_ROLLS = [*combinations_with_replacement(range(1, 7), 2)]


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
    for dice in UNORDERED_ROLLS:
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


@pytest.mark.slow
@pytest.mark.parametrize(("value", "owner"), [(1, -1), *OWNED])
def test_a_cell_is_the_mean_of_the_best_plays_of_all_rolls(value: int, owner: int) -> None:
    fill()
    check_rolls(cube_at(value, owner), seed=value)


@pytest.mark.slow
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


@pytest.mark.slow
def test_filled_planes_are_what_plain_python_solves() -> None:
    fill()
    solver = Solver((LENGTH - SCORE[0], LENGTH - SCORE[1]), number=Fraction)
    for case in random_bear_offs(13, 12, 2):
        chance = solver.best(0, case.us, case.them, 1, NOBODY)
        _, best = match_equities(case.state.position, cube_at())
        assert best == pytest.approx(solver.equity(0, 1, chance), abs=1e-6)


def at_another_score(case: BearOff) -> BearOff:
    return replace(case, length=LENGTH, score=(6, 8))


@pytest.mark.slow
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


@pytest.mark.slow
def test_threads_that_fill_the_same_plane_store_the_same_bits() -> None:
    cube = cube_at(score=(7, 8))
    with ThreadPoolExecutor(4) as pool:
        found = {*pool.map(lambda _: match_equities(SIX, cube), range(4))}
    assert len(found) == 1
    check_rolls(cube, seed=5)


@pytest.mark.slow
def test_a_process_lists_the_plays_of_boards_once() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert {*pool.map(lambda _: id(shared_plays()), range(8))} == {id(shared_plays())}
