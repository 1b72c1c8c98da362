"""What the engine is asked at a level: master.games.othello.level."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from master.games.othello.level import DEPTH_DEFAULT, EXACT_DEFAULT, Level, exact_for
from tests.engine_ext.othello.positions import boards

levels = st.builds(
    Level, st.integers(1, 60), st.integers(0, 60), st.one_of(st.none(), st.just(1.0))
)


@given(levels, boards())
def test_boards_with_few_empty_squares_are_solved_and_others_searched_to_the_depth(
    level: Level, board: OthelloBoard
) -> None:
    question = level.question(board)
    assert question.is_solved == (board.empties <= max(level.exact_empties, level.depth))
    if board.empties > level.exact_empties:
        assert question.depth == level.depth


@given(levels, boards())
def test_a_move_is_chosen_by_the_question_of_its_hint_unless_against_the_clock(
    level: Level, board: OthelloBoard
) -> None:
    stages = level.stages(board)
    assert stages
    if level.seconds is None:
        assert stages == (level.question(board),)
    elif board.empties <= level.exact_empties:
        assert stages[-1].is_solved
        assert len(stages) == 1 or not stages[0].is_solved
    else:
        assert not any(question.is_solved for question in stages)


def test_a_weak_engine_is_weak_to_the_end() -> None:
    assert [exact_for(depth) for depth in (1, 12, 60)] == [9, EXACT_DEFAULT, EXACT_DEFAULT]
    assert exact_for(DEPTH_DEFAULT) == Level().exact_empties


def test_a_level_has_a_name_that_says_how_it_plays() -> None:
    assert Level(8).name == "manyply depth 8"
    assert Level(seconds=0.5).name == "manyply 0.5 s"
