"""An answer and its text are the same thing, bit for bit, and no other text is an answer."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.analyse import MOVES_KEPT
from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.analysis_text import (
    AnswerError,
    MovesAnswer,
    MoveValue,
    analysis_from_text,
    analysis_to_text,
)
from engine_ext.backgammon.questions import CANDIDATES_MAX
from engine_ext.backgammon.ranking import Probs
from engine_ext.services import ANSWER_CHARACTERS_MAX

numbers = st.floats(allow_nan=False, allow_infinity=False)
probs = st.builds(Probs, *[numbers] * 5)
texts = st.text(st.characters(codec="ascii"), min_size=1, max_size=20)
moves = st.builds(MoveAnalysis, texts, texts, numbers, numbers, probs, st.none() | numbers)
cubes = st.builds(
    CubeAnalysis,
    texts,
    numbers,
    numbers,
    numbers,
    texts,
    numbers,
    probs,
    st.none() | numbers,
    st.none() | numbers,
)


@st.composite
def checkers(draw: st.DrawFn) -> CheckerAnalysis:
    ranked = tuple(draw(st.lists(moves, min_size=1, max_size=6)))
    return CheckerAnalysis(ranked, draw(st.integers(0, len(ranked) - 1)), draw(st.booleans()))


analyses = st.builds(ActionAnalysis, st.none() | checkers(), st.none() | cubes, st.none() | numbers)
values = st.builds(MoveValue, st.integers(0, 3059), numbers, probs)
answers = st.builds(MovesAnswer, st.lists(values, max_size=5).map(tuple))


@given(analyses)
def test_an_analysis_comes_back_exactly(analysis: ActionAnalysis) -> None:
    text = analysis_to_text(analysis)
    assert text.isascii()
    assert text.isprintable()
    again = analysis_from_text(text)
    assert again == analysis
    assert repr(again) == repr(analysis)  # a zero keeps its sign


@given(answers)
def test_move_values_come_back_exactly(answer: MovesAnswer) -> None:
    again = MovesAnswer.from_text(answer.to_text())
    assert repr(again) == repr(answer)


def read(text: str) -> str:
    """Return the text of what a text says, as either kind of answer."""
    if text.startswith("backgammon-analysis/1"):
        return analysis_to_text(analysis_from_text(text))
    return MovesAnswer.from_text(text).to_text()


@given(st.one_of(analyses.map(analysis_to_text), answers.map(MovesAnswer.to_text)), st.data())
def test_a_damaged_answer_is_refused_or_means_what_it_says(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(at, min(len(text), at + 9)))
    damaged = text[:at] + data.draw(st.text(max_size=3)) + text[end:]
    try:
        again = read(damaged)
    except AnswerError:
        return
    assert again == damaged


@pytest.mark.parametrize("start", ["", "backgammon-analysis/1 ", "backgammon-move-values/1 "])
@given(text=st.text())
def test_any_other_text_is_an_answer_error(start: str, text: str) -> None:
    with pytest.raises(AnswerError):
        read(start + text + "?")


@pytest.mark.parametrize(
    "text",
    [
        "backgammon-analysis/1 luck=nan cube=none checker=none",
        "backgammon-analysis/1 luck=1e999 cube=none checker=none",
        "backgammon-analysis/1 luck=1 cube=none checker=none",
        "backgammon-analysis/1 cube=none luck=none checker=none",
        "backgammon-analysis/1 luck=none cube=none checker=0,free",
        "backgammon-analysis/1 luck=none cube=2-ply checker=none",
        "backgammon-analysis/1 luck=none cube=none checker=none ",
        "backgammon-analysis/1 luck=none cube=none checker=none" + " " * 30_000,
        "backgammon-move-values/1 0:0.5",
        "backgammon-move-values/1 00:0.5:0.5:0.5:0.5:0.5:0.5",
    ],
)
def test_no_answer_is_guessed_at(text: str) -> None:
    with pytest.raises(AnswerError):
        read(text)


def test_the_sign_of_zero_is_kept() -> None:
    text = analysis_to_text(ActionAnalysis(luck=-0.0))
    luck = analysis_from_text(text).luck
    assert luck is not None
    assert math.copysign(1, luck) == -1


def test_the_longest_answers_fit() -> None:
    number = -1.2345678901234567e-100
    chances = Probs(*[number] * 5)
    values = tuple(MoveValue(3059, number, chances) for _ in range(CANDIDATES_MAX))
    assert len(MovesAnswer(values).to_text()) < ANSWER_CHARACTERS_MAX
    longest = "bar/24*/23*/22*/21* bar/20*/15*/10*/5* 13/8*/3* 6/off"  # no roll plays more
    move = MoveAnalysis(longest, "rollout 65536", number, number, chances, number)
    cube = CubeAnalysis("rollout 65536", number, number, number, longest, number, chances, number)
    checker = CheckerAnalysis((move,) * (MOVES_KEPT + 1), MOVES_KEPT, is_forced=False)
    text = analysis_to_text(ActionAnalysis(checker, cube, number))
    assert len(text) < ANSWER_CHARACTERS_MAX
    assert analysis_from_text(text).checker == checker
