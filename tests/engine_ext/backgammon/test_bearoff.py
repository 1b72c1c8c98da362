"""Bear-offs are looked up, for money and at match scores, as gnubg and plain Python have them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.alternatives import cube_alternatives, rollout_context
from engine_ext.backgammon.bearoff import Bearoff, shared_bearoff
from engine_ext.backgammon.bearoff_cache import TABLES_DIGEST, load_tables
from engine_ext.backgammon.bearoff_generate import board_index, generate_tables
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
