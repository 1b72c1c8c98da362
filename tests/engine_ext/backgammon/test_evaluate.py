"""Static evaluation: each class of positions has its table or net, and never nonsense."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.cube import Cube, efficiency
from engine_ext.backgammon.evaluate import (
    Evaluator,
    evaluate_static,
    position_class,
    shared_evaluator,
)
from engine_ext.backgammon.leaf import static_equities, waiting_gain
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.net import Net
from tests.engine_ext.backgammon.positions import bear_off_position, strewn_positions

STREWN = strewn_positions(8, 800) + [bear_off_position(random.Random(i)) for i in range(200)]
Probs = tuple[float, float, float, float, float]


@pytest.fixture(scope="module", autouse=True)
def _tables_are_made_before_any_timed_example() -> None:
    shared_evaluator()


def slots(**counts: int) -> tuple[int, ...]:
    """Return a side of `p6=2` (two checkers on point 6), the rest borne off."""
    side = [0] * 26
    for name, count in counts.items():
        side[int(name[1:])] = count
    side[0] = 15 - sum(side)
    return tuple(side)


@st.composite
def games(draw: st.DrawFn) -> list[Position]:
    """Return the positions of the first turns of a random game, from the start or a race."""
    first = draw(st.sampled_from([
        START,
        Position(slots(p4=5, p7=5, p13=5), slots(p4=5, p8=5, p11=5)),
        Position(slots(p6=7, p8=1), slots(p5=5, p1=2)),
        Position(slots(p25=1, p6=14), slots(p20=1, p3=3)),
    ]))  # fmt: skip
    visited = [first]
    die = st.integers(1, 6)
    for choice in draw(st.lists(st.integers(0, 999), max_size=40)):
        if visited[-1].result:
            break
        moves = legal_moves(visited[-1], (draw(die), draw(die)))
        visited.append(moves[choice % len(moves)].after.swapped())
    return visited


# ------------------------------------------------- a plain Python reference
def is_in_winners_home(loser: tuple[int, ...]) -> bool:
    return any(loser[19:26])


def sane(position: Position, probs: Probs) -> Probs:
    """Take out of a net's chances what the rules exclude."""
    win = probs[0]
    sane_probs = [win]
    for at, most, loser in ((1, win, position.opponent), (3, 1 - win, position.on_roll)):
        gammon, backgammon = probs[at], probs[at + 1]
        if loser[0] > 0:
            gammon = 0.0
        if position.is_race and not is_in_winners_home(loser):
            backgammon = 0.0
        gammon = min(gammon, most)
        sane_probs += [gammon, min(backgammon, gammon)]
    return sane_probs[0], sane_probs[1], sane_probs[2], sane_probs[3], sane_probs[4]


def reference(evaluator: Evaluator, position: Position) -> Probs:
    match position_class(position):
        case "over":
            points = position.result
            limits = ((0, 1), (1, 1), (2, 1), (1, -1), (2, -1))
            chances = [float(sign * points > limit) for limit, sign in limits]
            return chances[0], chances[1], chances[2], chances[3], chances[4]
        case "bearoff-two-sided":
            win = (evaluator.bearoff.money_equities(position)[0] + 1) / 2
            return win, 0.0, 0.0, 0.0, 0.0
        case "bearoff-one-sided":
            return evaluator.bearoff.one_sided_probs(position)
        case "race":
            return sane(position, evaluator.race.evaluate(position))
        case "contact":
            return sane(position, evaluator.contact.evaluate(position))


@given(games())
def test_evaluation_equals_the_plain_reference(visited: list[Position]) -> None:
    evaluator = shared_evaluator()
    for position in visited:
        assert evaluator.evaluate(position) == reference(evaluator, position)


@given(games())
def test_many_at_once_equal_one_at_a_time(visited: list[Position]) -> None:
    evaluator = shared_evaluator()
    assert evaluator.evaluate_many(visited) == [evaluate_static(each) for each in visited]


@pytest.mark.parametrize("dice", [(1, 1), (6, 5), (3, 3)])
def test_all_successors_at_once_equal_one_at_a_time(dice: tuple[int, int]) -> None:
    # 75 boards and more do not fit one batch of a net.
    evaluator = shared_evaluator()
    boards = [move.after.swapped() for move in legal_moves(START, dice)]
    mixed = [*boards, Position(slots(p1=1), slots(p2=2)), *boards[::-1]]
    assert evaluator.evaluate_many(mixed) == [evaluator.evaluate(each) for each in mixed]


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(1, 40)), min_size=1, max_size=6))
def test_runs_of_a_class_among_others_equal_one_at_a_time(runs: list[tuple[int, int]]) -> None:
    evaluator = shared_evaluator()
    listed = [STREWN[number] for number, length in runs for _ in range(length)]
    assert evaluator.evaluate_many(listed) == [evaluator.evaluate(each) for each in listed]


def test_strewn_positions_are_of_every_class() -> None:
    assert len({position_class(each) for each in STREWN}) == 5


@given(games())
def test_probabilities_are_sane(visited: list[Position]) -> None:
    for position in visited:
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = evaluate_static(position)
        assert 0 <= win_backgammon <= win_gammon <= win <= 1
        assert 0 <= lose_backgammon <= lose_gammon <= 1 - win


@given(games())
@pytest.mark.when_changed
def test_no_gammon_against_a_side_that_has_borne_off(visited: list[Position]) -> None:
    for position in visited:
        probs = evaluate_static(position)
        if position.opponent[0] > 0:
            assert probs[1:3] == (0.0, 0.0)
        if position.on_roll[0] > 0:
            assert probs[3:5] == (0.0, 0.0)


# ------------------------------------------------------------------ classes
@pytest.mark.parametrize(
    ("on_roll", "opponent", "name"),
    [
        (slots(), slots(p6=15), "over"),
        (slots(p6=6), slots(p1=6), "bearoff-two-sided"),
        (slots(p6=7), slots(p1=1), "bearoff-one-sided"),
        (slots(p6=15), slots(p6=15), "bearoff-one-sided"),
        (slots(p7=1), slots(p1=1), "race"),
        (slots(p6=15), slots(p18=1), "race"),
        (slots(p6=15), slots(p20=1), "contact"),
        (slots(p6=1), slots(p25=1), "contact"),
    ],
)
def test_position_belongs_to_its_class(
    on_roll: tuple[int, ...], opponent: tuple[int, ...], name: str
) -> None:
    position = Position(on_roll, opponent)
    assert position_class(position) == name
    assert position_class(position.swapped()) == name


@pytest.mark.parametrize(
    ("loser", "chances"),
    [
        (slots(p1=3), (0.0, 0.0)),
        (slots(p18=15), (1.0, 0.0)),
        (slots(p6=14, p19=1), (1.0, 1.0)),
        (slots(p6=14, p25=1), (1.0, 1.0)),
    ],
)
def test_finished_game_has_its_exact_chances(
    loser: tuple[int, ...], chances: tuple[float, float]
) -> None:
    lost = Position(loser, slots())
    assert evaluate_static(lost) == (0.0, 0.0, 0.0, *chances)
    assert evaluate_static(lost.swapped()) == (1.0, *chances, 0.0, 0.0)


def test_race_against_a_side_out_of_the_home_board_has_no_backgammon() -> None:
    position = Position(slots(p1=2), slots(p18=15))
    assert evaluate_static(position)[2] == 0.0
    assert evaluate_static(position.swapped())[4] == 0.0


def test_bearoff_evaluation_is_the_tables() -> None:
    position = Position(slots(p6=1, p5=1), slots(p6=1, p5=1))
    win = (shared_bearoff().money_equities(position)[0] + 1) / 2
    assert evaluate_static(position) == (win, 0.0, 0.0, 0.0, 0.0)
    assert 2 * win - 1 == pytest.approx(0.544004, abs=5e-7)


# ----------------------------------------------------------------- Evaluator
def test_shared_evaluator_is_made_once() -> None:
    assert shared_evaluator() is shared_evaluator()
    assert shared_evaluator().bearoff is shared_bearoff()


def test_digest_names_nets_and_tables() -> None:
    shared = shared_evaluator()
    same = Evaluator(shared.contact, shared.race, shared.bearoff)
    exchanged = Evaluator(shared.race, shared.contact, shared.bearoff)
    assert same.digest == shared.digest
    assert exchanged.digest != shared.digest


def test_evaluator_without_nets_is_refused() -> None:
    shared = shared_evaluator()
    with pytest.raises(ValueError, match="load_net"):
        Evaluator(Net(), shared.race, shared.bearoff)
    with pytest.raises(TypeError):
        shared.evaluate_many([None])  # type: ignore[list-item]


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
