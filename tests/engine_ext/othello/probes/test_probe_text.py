"""Looks in words: what is read is what was written."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.othello.board import SIZES, OthelloBoard
from engine_ext.othello.parts import DEPTH_MAX
from engine_ext.othello.probes.probe_text import ProbeAnswer, ProbeAnswerError, ProbeQuestion
from engine_ext.services import ANSWER_CHARACTERS_MAX, CONTEXT_BYTES_MAX, ContextError
from tests.engine_ext.othello.positions import played

ENGINE = "0123456789abcdef"
TEXT = (
    f"othello-look/1 engine={ENGINE} board=---------------------------OX------XO----------------"
    "----------- side=X depth=12 move=f5"
)
squares = st.from_regex("[a-h][1-8]", fullmatch=True)
numbers = st.integers(-99_999, 99_999)


@given(st.integers(0, 999), st.integers(1, 60), st.sampled_from(SIZES), st.integers(1, DEPTH_MAX))
def test_questions_are_read_as_they_were_written(
    seed: int, empties: int, size: int, depth: int
) -> None:
    board = played(seed, empties, size)
    assume(board.moves())
    question = ProbeQuestion(ENGINE, board, depth, board.moves()[seed % len(board.moves())])
    text = question.to_text()
    assert ProbeQuestion.from_text(text) == question
    assert len(text) <= CONTEXT_BYTES_MAX


@given(numbers, squares, numbers, st.booleans(), st.integers(0, 10**18))
def test_answers_are_read_as_they_were_written(
    value: int, best: str, other: int, is_exact: bool, nodes: int
) -> None:
    answer = ProbeAnswer(min(value, other), best, max(value, other), is_exact, nodes)
    assert ProbeAnswer.from_text(answer.to_text()) == answer
    assert len(answer.to_text()) <= ANSWER_CHARACTERS_MAX


def test_a_look_in_words() -> None:
    assert ProbeQuestion(ENGINE, OthelloBoard.start(), 12, "f5").to_text() == TEXT
    reported = "value=-273 best=c4 best_value=62 exact=0 nodes=7"
    assert ProbeAnswer(-273, "c4", 62, is_exact=False, nodes=7).to_text() == reported


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("depth=12", "depth=0", "expected a depth from 1 to"),
        ("depth=12", "depth=012", "expected 'othello-look/1"),
        ("depth=12", "depth=07", "shortest form"),
        ("move=f5", "move=a1", "a1 is no legal move there"),
        ("move=f5", "move=i9", "expected 'othello-look/1"),
        ("OX------XO", "XX------XX", "f5 is no legal move there"),
        ("board=-", "board=", "64"),
        (ENGINE, "x" * 16, "expected 'othello-look/1"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ContextError) as caught:
        ProbeQuestion.from_text(TEXT.replace(old, new))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "value=1 best=f5 best_value=0 exact=0 nodes=1",
        "value=01 best=f5 best_value=2 exact=0 nodes=1",
        "value=1 best=f9 best_value=2 exact=0 nodes=1",
        "value=1 best=f5 best_value=2 exact=2 nodes=1",
    ],
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ProbeAnswerError):
        ProbeAnswer.from_text(text)
