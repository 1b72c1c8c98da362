"""A question and its text are the same thing, and a bad text is refused in one sentence."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from engine_ext.services import CONTEXT_BYTES_MAX, ContextError
from tests.engine_ext.backgammon.questions_asked import ENGINE, analyse_questions, moves_questions

MONEY = GameState(START, MatchState())
MOVES = MovesQuestion(ENGINE, MONEY, (3, 1), 2, (0, 4))
PLAY = AnalyseQuestion(
    ENGINE, MONEY, DecisionKind.MOVE, AnalysisSettings(), (3, 1), ((8, 5), (6, 5))
)
Question = MovesQuestion | AnalyseQuestion


@given(st.one_of(moves_questions, analyse_questions))
@pytest.mark.when_changed
def test_text_comes_back_as_the_same_question(question: Question) -> None:
    text = question.to_text()
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < CONTEXT_BYTES_MAX
    assert type(question).from_text(text) == question


@pytest.mark.parametrize("kind", [MovesQuestion, AnalyseQuestion])
@given(text=st.text())
def test_any_other_text_is_a_context_error(kind: type[Question], text: str) -> None:
    with pytest.raises(ContextError) as caught:
        kind.from_text(text)
    assert caught.value.code == "bad-context"


@given(st.one_of(moves_questions, analyse_questions), st.data())
@pytest.mark.when_changed
def test_a_damaged_text_is_refused_or_means_what_it_says(
    question: Question, data: st.DataObject
) -> None:
    text = question.to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.characters()) + text[at + 1 :]
    try:
        read = type(question).from_text(damaged)
    except ContextError:
        return
    assert read.to_text() == damaged


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("engine", "xyz"),
        ("position_id", "short"),
        ("position_id", "AAAAAAAAAAAAAA"),
        ("cube_value", "3"),
        ("cube_value", "32768"),
        ("match_length", "7"),
        ("score", "1-0"),
        ("met", "kazaross-xg2"),
        ("met", "woolsey"),
        ("dice", "none"),
        ("dice", "13"),
        ("dice", "37"),
        ("ply", "4"),
        ("candidates", ""),
        ("candidates", "4,0"),
        ("candidates", "0,0"),
        ("candidates", "-1"),
        ("candidates", "3060"),
        ("candidates", ",".join(map(str, range(129)))),
    ],
)
def test_a_bad_value_of_moves_is_refused(key: str, value: str) -> None:
    text = re.sub(f" {key}=[^ ]*", f" {key}={value}", MOVES.to_text())
    with pytest.raises(ContextError) as caught:
        MovesQuestion.from_text(text)
    assert caught.value.code == "bad-context"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "cube"),
        ("kind", "drop"),
        ("dice", "none"),
        ("played", "none"),
        ("played", "6/5,8/5"),
        ("played", "5/8"),
        ("played", "26/25"),
        ("played", "8/5,6/5,4/3,4/3,4/3"),
        ("ply", "4"),
        ("cube_ply", "4"),
        ("luck_ply", "-1"),
        ("move_filter", "wide"),
        ("trials", str(2**16 + 1)),
        ("trials", "1"),
        ("seed", "1"),
        ("met", "kazaross-xg2"),
    ],
)
def test_a_bad_value_of_an_analysis_is_refused(key: str, value: str) -> None:
    text = re.sub(f" {key}=[^ ]*", f" {key}={value}", PLAY.to_text())
    with pytest.raises(ContextError) as caught:
        AnalyseQuestion.from_text(text)
    assert caught.value.code == "bad-context"


def test_a_cube_decision_has_a_level_and_no_roll() -> None:
    cube = AnalyseQuestion(ENGINE, MONEY, DecisionKind.CUBE)
    with pytest.raises(ContextError, match="cube_ply"):
        replace(cube, settings=AnalysisSettings(cube_ply=None))
    with pytest.raises(ContextError, match="none"):
        replace(cube, dice=(3, 1))


@pytest.mark.parametrize("setting", [{"trials": 0}, {"seed": -1}, {"candidates": 0}, {"ply": 4}])
def test_a_rollout_has_ranges(setting: dict[str, int]) -> None:
    with pytest.raises(ContextError):
        RolloutSettings(**{"trials": 10, **setting})


def test_what_cannot_matter_makes_no_other_question() -> None:
    seen = MatchState(score=(3, 5), dice=(3, 1), player_on_roll=0, resignation=1, cube_log2_max=4)
    assert replace(MOVES, state=GameState(START, seen)) == MOVES
    assert replace(PLAY, dice=(1, 3), played=((6, 5), (8, 5))) == PLAY


def test_a_finished_game_asks_nothing() -> None:
    over = Position([15] + [0] * 25, [0] * 6 + [1] + [0] * 19)
    for question in (MOVES, PLAY):
        with pytest.raises(ContextError, match="over"):
            replace(question, state=GameState(over, MatchState()))
