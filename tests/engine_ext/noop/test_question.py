import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.noop.question import NUMBER_MAX, answer, noop_question
from engine_ext.services import ContextError


@given(st.integers(0, 50), st.integers(0, NUMBER_MAX))
def test_the_answer_depends_on_the_question_alone(rounds: int, number: int) -> None:
    question = noop_question(rounds, number)
    assert answer(question, RunControl()) == services.answer(question, RunControl())


def test_questions_have_answers_of_their_own() -> None:
    questions = [noop_question(rounds, number) for rounds in range(5) for number in range(5)]
    assert len({answer(question, RunControl()) for question in questions}) == 25


def test_a_stopped_question_has_no_answer() -> None:
    control = RunControl()
    threading.Timer(0.02, control.stop).start()
    assert answer(noop_question(10**12), control) is None


@pytest.mark.parametrize(
    "text",
    [
        "noop-question/1",
        "noop-question/1 rounds=1",
        "noop-question/1 rounds=-1 number=0",
        "noop-question/1 rounds=01 number=0",
        "noop-question/1 rounds=9999999999999 number=0",
        "noop-question/1 rounds=0 number=4294967297",
        "noop-question/1 rounds=0 number=0 ",
    ],
)
def test_a_bad_question_is_refused(text: str) -> None:
    with pytest.raises(ContextError, match="expected") as caught:
        answer(text, RunControl())
    assert caught.value.code == "bad-context"
