"""Questions about boards, and answers to them, come back from their texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.services import ANSWER_CHARACTERS_MAX, CONTEXT_BYTES_MAX, ContextError
from engine_ext.threes.depth import UNLIMITED
from engine_ext.threes.questions import (
    BOARDS_MAX,
    PLIES_MAX,
    VALUE_MAX,
    BoardAsked,
    PartsQuestion,
    read_values,
    write_values,
)
from tests.engine_ext.threes.test_value import BAGS

BOARDS = st.builds(
    BoardAsked, st.integers(0, 2**64 - 1), BAGS, st.just(UNLIMITED) | st.integers(0, 255)
)
QUESTIONS = st.builds(
    PartsQuestion,
    st.from_regex("[0-9a-f]{16}", fullmatch=True),
    st.integers(1, PLIES_MAX),
    st.lists(BOARDS, min_size=1, max_size=9).map(tuple),
)
ONE = BoardAsked(0x7000000000654321, (2, 1, 0))
TEXT = PartsQuestion("0123456789abcdef", 3, (ONE, BoardAsked(1, (4, 4, 4), 96))).to_text()


@given(QUESTIONS)
def test_question_comes_back_from_its_text(question: PartsQuestion) -> None:
    assert PartsQuestion.from_text(question.to_text()) == question


def test_text_is_the_documented_one() -> None:
    assert TEXT == (
        "threes-expectimax/1 engine=0123456789abcdef plies=3"
        " boards=1234560000000007.210,1000000000000000.444.96"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT + " ",
        TEXT.replace("/1", "/2"),
        TEXT.replace("plies=3", "plies=0"),
        TEXT.replace("plies=3", f"plies={PLIES_MAX + 1}"),
        TEXT.replace(".210", ".510"),
        TEXT.replace(".210", ""),
        TEXT.replace(".96", ".256"),
        TEXT.replace(".96", ".096"),
        TEXT.replace(".96", ".-1"),
        TEXT.replace("1234", "123"),
        TEXT.replace(",", ",,"),
        TEXT + ",",
        TEXT + ",1000000000000000.444" * BOARDS_MAX,
    ],
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ContextError, match="expected") as caught:
        PartsQuestion.from_text(text)
    assert caught.value.code == "bad-context"


def test_largest_question_and_its_answer_fit_their_lines() -> None:
    boards = (BoardAsked(2**64 - 1, (4, 4, 4), 255),) * BOARDS_MAX
    assert len(PartsQuestion("f" * 16, 7, boards).to_text()) < CONTEXT_BYTES_MAX
    assert len(write_values([1 / 3e-9] * BOARDS_MAX)) < ANSWER_CHARACTERS_MAX


@given(st.lists(st.floats(0.0, VALUE_MAX, allow_subnormal=False), min_size=1))
def test_values_come_back_to_the_bit(values: list[float]) -> None:
    assert read_values(write_values(values), len(values)) == values


@pytest.mark.parametrize(
    "text",
    ["", "1", "1 2 3", "1  2", "1 nan", "1 inf", "1 -2", "1 1e99", "1 1_0", "1 x", "1 2 "],
)
def test_other_answer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_values(text, 2)
