import hashlib

import pytest

from engine_ext.noop.question import noop_question
from engine_ext.services import CONTEXT_BYTES_MAX, engine_digest
from master.contract.errors import MasterError
from master.contract.questions import (
    QUESTIONS_MAX,
    QuestionError,
    QuestionKind,
    question_digest,
    sort_questions,
    work_class,
)

ENGINE = "0123456789abcdef"


def test_each_text_is_kept_once_with_its_places() -> None:
    one, other = noop_question(5, 1), noop_question(5, 2)
    known = sort_questions([one, other, one])
    assert known.indexes == {one: [0, 2], other: [1]}
    kind = QuestionKind("noop", "analyse", engine_digest("noop"), "noop-question/1 rounds=5")
    assert known.kinds == {one: kind, other: kind}


def test_question_names_its_service_and_its_engine() -> None:
    text = f"backgammon-moves/1 engine={ENGINE} ply=2 candidates=0,1"
    (kind,) = sort_questions([text]).kinds.values()
    assert kind == QuestionKind("backgammon", "moves", ENGINE, "backgammon-moves/1 ply=2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("othello-search/1 x", "no answer that could be kept"),
        ("", "expected a line"),
        ("noop-question/1\n", "printable ASCII"),
        ("noop-question/1 \xe4", "printable ASCII"),
        ("noop-question/1 " + "x" * CONTEXT_BYTES_MAX, "expected a line of 1 to 8192"),
        ("go/1", "unknown kind"),
        ("noop/1 alternatives=1 rounds=1", "a question was expected"),
    ],
)
def test_what_is_no_question_is_named_by_its_place(text: str, reason: str) -> None:
    with pytest.raises(QuestionError, match=reason) as caught:
        sort_questions([noop_question(), text])
    assert caught.value.index == 1
    assert str(caught.value) == f"question 1: {caught.value.text}"


def test_too_many_questions_are_refused() -> None:
    with pytest.raises(MasterError, match="at most 65536"):
        sort_questions([""] * (QUESTIONS_MAX + 1))


def test_class_of_work_is_the_kind_and_the_depth_only() -> None:
    text = f"backgammon-analyse/1 engine={ENGINE} position_id=4HPw cube_ply=2 dice=31 ply=2"
    assert work_class(text) == "backgammon-analyse/1 ply=2 cube_ply=2"
    assert work_class("noop-question/1") == "noop-question/1"


def test_answers_are_kept_under_the_whole_digest() -> None:
    assert question_digest("x/1 a").hex() == hashlib.sha256(b"x/1 a").hexdigest()
