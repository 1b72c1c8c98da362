"""Values of look-ahead hang together, by rolls also, and depend on no question before."""

import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.ranking import best_first
from engine_ext.backgammon.roll_values import ROLLS, roll_values
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.chances import inverted
from tests.engine_ext.backgammon.positions import (
    played_positions,
    positions,
    rolls,
    strewn_positions,
)
from tests.engine_ext.backgammon.rollouts import POSITIONS

Probs = tuple[float, ...]
Ranked = list[tuple[int, int, float, Probs, float]]

EXACT = 1e-12
CUBES = [
    Cube(),
    Cube(jacoby=True),
    Cube(jacoby=True, beavers=True),
    Cube(value=2, owner=0),
    Cube(value=2, owner=1),
    Cube(match_length=7, score=(3, 5)),
    Cube(match_length=5, score=(4, 2), crawford=True),
]
cubes = st.sampled_from(CUBES)
running = positions.filter(lambda position: position.result == 0)
known = st.sampled_from(list(POSITIONS.values())).map(position_from_id)


def evaluated(
    position: Position, cube: Cube, ply: int, *, is_cubeful: bool = True
) -> tuple[Probs, float, float]:
    found = Searcher().evaluate(position, cube, ply, RunControl(), is_cubeful=is_cubeful)
    assert found is not None
    return found


def ranked(
    position: Position, dice: tuple[int, int], cube: Cube, *, is_cubeful: bool = True
) -> Ranked:
    found = Searcher().rank_moves(position, dice, cube, 0, RunControl(), is_cubeful=is_cubeful)
    assert found is not None
    return [*found]


def check_evaluation(position: Position, cube: Cube, ply: int) -> None:
    probs, cubeless, cubeful = evaluated(position, cube, ply)
    answer = Searcher().answer_cube(position, cube, ply, RunControl())
    assert answer is not None
    may_double, no_double, double_take, double_pass = answer
    doubled = min(cube.equity_not_passed(double_take), double_pass)
    assert cubeless == pytest.approx(cube.cubeless_equity(probs), abs=EXACT)
    assert cubeful == (max(no_double, doubled) if may_double else no_double)
    assert not may_double or (cube.may_double and double_pass == pytest.approx(1.0, abs=EXACT))
    assert 1.0 + EXACT >= probs[0] >= probs[1] >= probs[2] >= -EXACT
    assert 1.0 + EXACT >= 1 - probs[0] >= probs[3] - EXACT >= probs[4] - 2 * EXACT


@given(running, cubes)
def test_an_evaluation_assumes_the_best_cube_action_of_the_answer(
    position: Position, cube: Cube
) -> None:
    check_evaluation(position, cube, 0)


@settings(max_examples=25, deadline=None)
@given(known, cubes)
def test_so_it_does_a_ply_deeper(position: Position, cube: Cube) -> None:
    check_evaluation(position, cube, 1)


@given(running, cubes, st.integers(0, 1))
@settings(max_examples=40, deadline=None)
def test_without_cube_the_cubeful_equity_is_the_cubeless_one(
    position: Position, cube: Cube, ply: int
) -> None:
    _, cubeless, cubeful = evaluated(position, cube, ply, is_cubeful=False)
    assert cubeful == cubeless


@given(running, rolls, cubes, st.booleans())
def test_each_legal_move_is_ranked_once_best_first_whatever_the_order_of_the_dice(
    position: Position, dice: tuple[int, int], cube: Cube, is_cubeful: bool
) -> None:
    found = ranked(position, dice, cube, is_cubeful=is_cubeful)
    assert sorted(move[0] for move in found) == list(range(len(legal_moves(position, dice))))
    keys = [(*best_first(equity, cubeless), number) for number, _, equity, _, cubeless in found]
    assert keys == sorted(keys)
    assert found == ranked(position, dice[::-1], cube, is_cubeful=is_cubeful)


@given(running, rolls, cubes)
def test_a_move_is_worth_to_its_mover_what_it_costs_the_opponent(
    position: Position, dice: tuple[int, int], cube: Cube
) -> None:
    moves = legal_moves(position, (max(dice), min(dice)))
    for number, ply, equity, probs, cubeless in ranked(position, dice, cube):
        after = moves[number].after.swapped()
        theirs, _, their_equity = evaluated(after, cube.swapped(), 0)
        assert ply == 0
        assert equity == pytest.approx(-their_equity, abs=EXACT)
        assert probs == pytest.approx(inverted(theirs), abs=EXACT)
        assert cubeless == pytest.approx(cube.cubeless_equity(probs), abs=EXACT)


@settings(max_examples=40, deadline=None)
@given(running, rolls, cubes)
def test_without_cube_moves_are_ranked_by_their_cubeless_equity(
    position: Position, dice: tuple[int, int], cube: Cube
) -> None:
    for _, _, equity, _, cubeless in ranked(position, dice, cube, is_cubeful=False):
        assert equity == pytest.approx(cubeless, abs=EXACT)


@settings(deadline=None, max_examples=30)
@given(known, cubes, st.integers(0, 1), st.lists(known, max_size=3), st.booleans())
def test_an_answer_does_not_depend_on_what_was_searched_before(
    position: Position, cube: Cube, ply: int, others: list[Position], is_cached: bool
) -> None:
    used, control = Searcher(is_cached=is_cached), RunControl()
    for other in others:
        used.rank_moves(other, (5, 2), Cube(), 1, control)
        used.evaluate(other, cube, 1, control, is_cubeful=False)
    assert used.evaluate(position, cube, ply, control) == evaluated(position, cube, ply)


def test_static_evaluations_are_counted() -> None:
    searcher, control = Searcher(), RunControl()
    assert searcher.evaluations == 0
    searcher.evaluate(START, Cube(), 0, control, is_cubeful=False)
    assert searcher.evaluations == 1
    searcher.rank_moves(START, (6, 1), Cube(), 0, control)
    assert searcher.evaluations == 1 + len(legal_moves(START, (6, 1)))


def test_a_stopped_search_answers_nothing() -> None:
    control, searcher = RunControl(), Searcher()
    control.stop()
    assert searcher.evaluate(START, Cube(), 3, control) is None
    assert searcher.answer_cube(START, Cube(), 3, control) is None
    assert searcher.rank_moves(START, (3, 1), Cube(), 3, control) is None


@pytest.mark.slow
def test_another_thread_can_stop_a_search_under_way() -> None:
    control, found = RunControl(), [object()]

    def search() -> None:
        found[0] = Searcher().evaluate(START, Cube(), 3, control)

    thread = threading.Thread(target=search)
    thread.start()
    while control.steps == 0:  # only goes on if the search has released the GIL
        pass
    control.stop()
    thread.join(10)
    assert found == [None]


def test_what_does_not_exist_is_refused() -> None:
    searcher, control = Searcher(), RunControl()
    for dice in ((0, 1), (1, 7), (7, 1)):
        with pytest.raises(ValueError, match="dice are two numbers 1 to 6"):
            searcher.rank_moves(START, dice, Cube(), 0, control)
    with pytest.raises(ValueError, match=r"in tuple|not in"):
        searcher.rank_moves(START, (2, 1), Cube(), 0, control, move_filter="wide")


MATCHES = [MatchState(), MatchState(match_length=5, score=(3, 1), cube_value=2, cube_owner=1)]


def check_values(count: int, ply: int) -> None:
    rng, searcher = random.Random(ply), Searcher()
    for position in played_positions(9, count) + strewn_positions(9, count):
        cube = cube_of(rng.choice(MATCHES))
        values = roll_values(searcher, position, cube, ply, RunControl())
        assert values is not None
        for dice, value in zip(ROLLS, values, strict=True):
            ranked = Searcher().rank_moves(position, dice, cube, ply, RunControl())
            assert ranked is not None
            assert ranked[0][2] == value


def test_each_value_is_that_of_the_best_ranked_move() -> None:
    check_values(3, 0)
    check_values(1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("ply", "count"), [(0, 100), (1, 10), (2, 2)])
@pytest.mark.when_changed
def test_each_value_is_that_of_the_best_ranked_move_in_many_positions(ply: int, count: int) -> None:
    check_values(count, ply)


def test_a_stopped_search_has_no_values() -> None:
    control = RunControl()
    control.stop()
    position = played_positions(9, 1)[0]
    assert roll_values(Searcher(), position, cube_of(MATCHES[0]), 2, control) is None


def test_a_ply_out_of_range_is_an_error() -> None:
    with pytest.raises(ValueError, match="ply is 0 to 3"):
        roll_values(Searcher(), played_positions(9, 1)[0], cube_of(MATCHES[0]), 4, RunControl())
