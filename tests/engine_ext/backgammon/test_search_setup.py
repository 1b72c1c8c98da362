"""A workspace set up anew is as good as a new one, whatever it was used for before."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_bearoff import match_equities
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.exact_bearoffs import random_bear_offs
from tests.engine_ext.backgammon.tables import FAVOURITE

TABLE = MatchTable(FAVOURITE)
OWNERS = [0, -1, 1]
"""In the order of the equities that the table has for them."""
CUBES = [
    Cube(),
    Cube(value=2, owner=0),
    Cube(match_length=7, score=(3, 5)),
    Cube(match_length=7, score=(5, 3)),
    Cube(value=2, owner=1, match_length=7, score=(5, 3)),
    Cube(match_length=7, score=(6, 3), crawford=True),
    Cube(match_length=3, table=TABLE, player=0),
    Cube(match_length=3, table=TABLE, player=1),
]
BEAR_OFFS = [case.state.position for case in random_bear_offs(31, 12, 3)]

cubes = st.sampled_from(CUBES)
bear_offs = st.sampled_from(BEAR_OFFS)
asked = st.tuples(bear_offs, cubes, st.integers(0, 1), st.booleans())


def ask(searcher: Searcher, question: tuple[Position, Cube, int, bool]) -> object:
    position, cube, ply, is_cubeful = question
    return searcher.evaluate(position, cube, ply, RunControl(), is_cubeful=is_cubeful)


@settings(deadline=None)
@given(st.lists(asked, min_size=1, max_size=8))
def test_a_workspace_goes_from_score_to_score_as_if_it_were_new(
    questions: list[tuple[Position, Cube, int, bool]],
) -> None:
    used = Searcher()
    assert [ask(used, question) for question in questions] == [
        ask(Searcher(), question) for question in questions
    ]


@given(bear_offs, cubes)
def test_bear_offs_are_valued_at_the_score_in_play(position: Position, cube: Cube) -> None:
    evaluated = Searcher().evaluate(position, cube, 0, RunControl())
    assert evaluated is not None
    if cube.match_length:
        assert evaluated[2] == pytest.approx(match_equities(position, cube)[1], abs=1e-8)
    else:
        of_each_owner = shared_bearoff().money_equities(position)[1:]
        assert evaluated[2] == pytest.approx(of_each_owner[OWNERS.index(cube.owner)], abs=1e-6)


Question = Callable[[Searcher, int, RunControl], object]
QUESTIONS: dict[str, Question] = {
    "evaluate": lambda searcher, ply, control: searcher.evaluate(START, Cube(), ply, control),
    "answer_cube": lambda searcher, ply, control: searcher.answer_cube(START, Cube(), ply, control),
    "rank_moves": lambda searcher, ply, control: searcher.rank_moves(
        START, (3, 1), Cube(), ply, control
    ),
}


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("ply", [-1, 4, 1000])
def test_a_ply_out_of_range_is_refused_by_every_question(ask: Question, ply: int) -> None:
    searcher, control = Searcher(), RunControl()
    with pytest.raises(ValueError, match=f"ply is 0 to 3, not {ply}"):
        ask(searcher, ply, control)
    assert (searcher.evaluations, control.steps) == (0, 0)
    assert ask(searcher, 0, control) == ask(Searcher(), 0, RunControl())


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_each_question_is_under_the_control_that_came_with_it(ask: Question) -> None:
    searcher, stopped, first, second = Searcher(), RunControl(), RunControl(), RunControl()
    stopped.stop()
    assert ask(searcher, 2, stopped) is None
    answer = ask(searcher, 2, first)
    assert answer is not None
    steps = first.steps
    assert ask(Searcher(), 2, second) == answer
    assert (first.steps, second.steps) == (steps, steps)
    assert steps > 0


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_the_cube_is_in_play_where_the_question_says_so(are_cubeful: list[bool]) -> None:
    searcher, control = Searcher(), RunControl()
    for is_cubeful in are_cubeful:
        ranked = searcher.rank_moves(START, (6, 2), Cube(), 0, control, is_cubeful=is_cubeful)
        assert ranked is not None
        differ = [abs(equity - cubeless) > 1e-6 for _, _, equity, _, cubeless in ranked]
        assert differ == [is_cubeful] * len(ranked)
