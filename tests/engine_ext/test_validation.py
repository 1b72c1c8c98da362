"""An answer is checked by the kind of its question, and each fault is said in one line."""

import pytest

from engine_ext.control import RunControl
from engine_ext.noop.question import noop_question
from engine_ext.services import ANSWER_CHARACTERS_MAX, answer
from engine_ext.validation import answer_fault
from tests.engine_ext.questions_of_all_kinds import questions_of_all_kinds


def test_answer_of_the_engine_is_taken_whatever_the_kind() -> None:
    for name, question in questions_of_all_kinds().items():
        text = answer(question, RunControl())
        assert text is not None, "nobody stops it"
        assert answer_fault(question, text) == "", name


@pytest.mark.parametrize("text", ["", "a\nb", "\u00e9", "x" * (ANSWER_CHARACTERS_MAX + 1)])
def test_text_that_cannot_travel_is_no_answer(text: str) -> None:
    assert "printable ASCII" in answer_fault(noop_question(), text)


@pytest.mark.parametrize(
    "question", ["", "go/1", "noop-question/1", "noop/1 alternatives=1 rounds=1"]
)
def test_what_is_no_question_has_no_answer(question: str) -> None:
    assert answer_fault(question, "0" * 16)


def test_part_of_a_search_has_no_answer_to_be_kept() -> None:
    assert "no answer that is kept" in answer_fault("othello-search/1 x", "0")
