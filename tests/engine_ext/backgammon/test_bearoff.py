"""Look-up in the bear-off tables: known values, laws, and gnubg's own databases."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.bearoff import Bearoff, shared_bearoff
from engine_ext.backgammon.bearoff_cache import TABLES_DIGEST, load_tables
from engine_ext.backgammon.bearoff_generate import board_index, generate_tables
from engine_ext.backgammon.board import Position

Home = tuple[int, ...]


@pytest.fixture(scope="module", autouse=True)
def _tables_are_made_before_any_timed_example() -> None:
    shared_bearoff()


def to_home(points: list[int]) -> Home:
    return tuple(points.count(point) for point in range(1, 7))


def to_position(on_roll: Home, opponent: Home) -> Position:
    sides = [(15 - sum(home), *home, *(0,) * 19) for home in (on_roll, opponent)]
    return Position(*sides)


def positions(checkers_max: int) -> st.SearchStrategy[Position]:
    home = st.lists(st.integers(1, 6), min_size=1, max_size=checkers_max).map(to_home)
    return st.builds(to_position, home, home)


@pytest.fixture(scope="module")
def bearoff() -> Bearoff:
    return shared_bearoff()


def test_shared_tables_are_made_once_and_are_the_pinned_ones(bearoff: Bearoff) -> None:
    assert shared_bearoff() is bearoff
    assert bearoff.digest == TABLES_DIGEST


@pytest.mark.parametrize(
    ("on_roll", "opponent", "equity"),
    [
        ([6], [1], 18 / 36),
        ([5, 2], [1], 2 / 36),
        ([6, 5], [6, 5], 0.544004),
        ([6, 6, 6], [6, 6, 6], 0.425616),
        ([1, 1, 1], [1], -1 + 2 * 6 / 36),
        ([1], [6] * 6, 1.0),
    ],
)
def test_cubeless_equity_is_the_known_one(
    bearoff: Bearoff, on_roll: list[int], opponent: list[int], equity: float
) -> None:
    position = to_position(to_home(on_roll), to_home(opponent))
    assert bearoff.money_equities(position)[0] == pytest.approx(equity, abs=5e-7)


def test_last_roll_positions_double_at_half_and_pass_at_three_quarters(bearoff: Bearoff) -> None:
    # 6 against 1 wins 27/36: equity .5, doubled it is 1, exactly the pass.
    position = to_position(to_home([6]), to_home([1]))
    assert bearoff.money_equities(position) == (0.5, 1.0, 1.0, 0.5)
    assert bearoff.money_equities(position, is_doubling_allowed=False) == (0.5,) * 4


@given(positions(6))
def test_optimal_doubling_follows_from_not_doubling(position: Position) -> None:
    bearoff = shared_bearoff()
    cubeless, owned, centred, opponents = bearoff.money_equities(position)
    rolled = bearoff.money_equities(position, is_doubling_allowed=False)
    doubled = min(1.0, 2 * opponents)
    assert (cubeless, opponents) == (rolled[0], rolled[3])
    assert (owned, centred) == (max(rolled[1], doubled), max(rolled[2], doubled))


@given(positions(6))
def test_a_cube_helps_who_owns_it(position: Position) -> None:
    cubeless, owned, centred, opponents = shared_bearoff().money_equities(position)
    assert -1 <= opponents <= centred <= owned <= 1
    assert opponents <= cubeless <= owned


@given(positions(6))
def test_one_sided_win_chance_is_near_the_optimal_one(position: Position) -> None:
    bearoff = shared_bearoff()
    win = bearoff.one_sided_probs(position)[0]
    assert win == pytest.approx((bearoff.money_equities(position)[0] + 1) / 2, abs=0.015)


@given(positions(15))
def test_chances_of_a_side_sum_to_one(position: Position) -> None:
    bearoff = shared_bearoff()
    home = position.on_roll[1:7]
    for chances in (bearoff.off_chances(home), bearoff.first_off_chances(home)):
        assert sum(chances) == 1.0
        assert all(chance >= 0 for chance in chances)


def race(ours: tuple[float, ...], theirs: tuple[float, ...], lead: int) -> float:
    """P(we need no more than theirs rolls, moving `lead` ahead), in plain Python."""
    return sum(
        chance * sum(theirs[max(0, rolls - lead + 1) :]) for rolls, chance in enumerate(ours)
    )


@given(positions(15))
def test_one_sided_probs_equal_the_plain_sums(position: Position) -> None:
    bearoff = shared_bearoff()
    mine, theirs = (side[1:7] for side in (position.on_roll, position.opponent))
    off, their_off = bearoff.off_chances(mine), bearoff.off_chances(theirs)
    win = race(off, their_off, 1)
    gammons = [0.0, 0.0]
    if sum(theirs) == 15:
        gammons[0] = min(win, race(off, bearoff.first_off_chances(theirs), 1))
    if sum(mine) == 15:
        gammons[1] = min(1 - win, race(their_off, bearoff.first_off_chances(mine), 0))
    assert bearoff.one_sided_probs(position) == (win, gammons[0], 0.0, gammons[1], 0.0)


@given(positions(15))
def test_somebody_wins(position: Position) -> None:
    # On roll both of us, with and without the first roll: the swapped side loses.
    bearoff = shared_bearoff()
    mine, theirs = (bearoff.off_chances(side[1:7]) for side in (position.on_roll,
                                                               position.opponent))  # fmt: skip
    assert race(mine, theirs, 1) + race(theirs, mine, 0) == 1.0


def test_gammon_is_certain_against_a_side_that_cannot_move_first(bearoff: Bearoff) -> None:
    position = to_position((1, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 15))
    assert bearoff.one_sided_probs(position) == (1.0, 1.0, 0.0, 0.0, 0.0)
    lost = bearoff.one_sided_probs(position.swapped())
    assert lost[3] == pytest.approx(19 / 36, abs=2**-16)


@pytest.mark.parametrize(
    ("method", "position"),
    [
        ("one_sided_probs", Position((14, *(0,) * 6, 1, *(0,) * 18), (14, 1, *(0,) * 24))),
        ("money_equities", Position((14, *(0,) * 6, 1, *(0,) * 18), (14, 1, *(0,) * 24))),
        ("money_equities", to_position((7, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0))),
        ("money_equities", to_position((1, 0, 0, 0, 0, 0), (7, 0, 0, 0, 0, 0))),
    ],
)
def test_position_outside_the_table_is_refused(
    bearoff: Bearoff, method: str, position: Position
) -> None:
    with pytest.raises(ValueError, match="home"):
        getattr(bearoff, method)(position)


def test_bytes_that_cannot_be_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        Bearoff(b"short")
    with pytest.raises(ValueError, match="outside the table"):
        Bearoff(b"\xff" * 15_000_000)


# ------------------------------------------------- gnubg's own databases

GNUBG_UNIT = 2 / 65535  # 3.1e-5: one step of its 16-bit equities


def gnubg_file(name: str) -> bytes:
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg's databases are not installed")
    return (Path(gnubg_nn.__file__).parent / "data" / name).read_bytes()


def gnubg_words(name: str) -> memoryview[int]:
    """Return the 16-bit words after the 40-byte header."""
    return memoryview(gnubg_file(name))[40:].cast("B").cast("H")


@pytest.fixture(scope="module")
def cells() -> memoryview[float]:
    return memoryview(load_tables(generate_tables))[: 924 * 924 * 16].cast("f")


@pytest.mark.reference
def test_two_sided_table_agrees_with_gnubgs(cells: memoryview[float]) -> None:
    # gnubg rounds each stored equity and goes on from the rounded ones; its roundings
    # add up to four units in its last places.
    words = gnubg_words("gnubg_ts0.bd")
    assert len(words) == len(cells)
    differences = [abs(words[i] / 32767.5 - 1 - cells[i]) for i in range(0, len(cells), 37)]
    assert max(differences) < 4.3 * GNUBG_UNIT
    assert sum(differences) / len(differences) < 1.5 * GNUBG_UNIT


@pytest.mark.reference
def test_last_two_rolls_agree_with_gnubgs_within_its_unit(cells: memoryview[float]) -> None:
    # Where at most one rounding lies behind a cell: a side that is off in one roll.
    words = gnubg_words("gnubg_ts0.bd")
    aces = [board_index((count, 0, 0, 0, 0, 0)) for count in (1, 2)]
    for us in range(924):
        for them in aces:
            for at in range((us * 924 + them) * 4, (us * 924 + them) * 4 + 4):
                assert abs(words[at] / 32767.5 - 1 - cells[at]) <= 1.01 * GNUBG_UNIT


def gnubg_one_sided(content: bytes, index: int) -> tuple[list[float], list[float]]:
    """Return P(off with roll i), P(first off with roll i) of gnubg's compressed file."""
    at = 40 + 8 * index
    offset = int.from_bytes(content[at : at + 4], "little")
    length, first, gammon_length, gammon_first = content[at + 4 : at + 8]
    words = memoryview(content)[40 + 8 * 54264 :].cast("B").cast("H")[offset:]
    off = [0.0] * first + [word / 65535 for word in words[:length]]
    words = words[length : length + gammon_length]
    return off, [0.0] * gammon_first + [word / 65535 for word in words]


def difference(ours: tuple[float, ...], theirs: list[float]) -> float:
    """Return the largest difference of one number of rolls."""
    return max(abs(a - b) for a, b in zip_longest(ours, theirs, fillvalue=0.0))


@pytest.mark.reference
def test_one_sided_table_agrees_with_gnubgs(bearoff: Bearoff) -> None:
    # Where two plays need the same number of rolls on average, the distributions depend
    # on the tie-break: about one board in twenty, with equal means.
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg's databases are not installed")
    content = gnubg_file("gnubg_os0.bd")
    off_differences = []
    for index in range(1, 54264, 53):
        home = gnubg_nn.bearoff_id_2_pos(index)
        assert board_index(home) == index
        off, first_off = gnubg_one_sided(content, index)
        ours = bearoff.off_chances(home)
        off_differences.append(difference(ours, off))
        means = [sum(i * chance for i, chance in enumerate(chances)) for chances in (ours, off)]
        assert means[0] == pytest.approx(means[1], abs=2e-4)
        if sum(home) == 15:
            assert difference(bearoff.first_off_chances(home), first_off) <= 3.1e-5
    within = sum(difference <= 3.1e-5 for difference in off_differences)
    assert within > 0.94 * len(off_differences)
