"""Cube states that are followed side by side give what each gives alone."""

import pytest

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl

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
