"""Whatever a record is, reading it gives the record or a RecordError, which is one line."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.errors import MasterError
from master.games.backgammon.matches.mat_read import read_mat_warned
from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.errors import AskedError, RecordError

MAT_LIKE = st.lists(
    st.sampled_from(
        ["; [Site \"x\"]", " 3 point match", " Game 1", " Ann : 0  Bob : 0", "  1) 31: 8/5 6/5",
         "  1) Doubles => 2   Takes", "      Wins 1 point", "  1) 66: 24/1", ""]
    ),
    max_size=9,
).map("\n".join)  # fmt: skip
SGF_LIKE = st.text("(;)[]FGM6BWU314:\\ \n", max_size=60)


def error_of(read: Callable[[str, str], object], text: str) -> str | None:
    """Return what is wrong with a record; None where nothing is."""
    try:
        read(text, "a file")
    except RecordError as error:
        return str(error)
    return None


@given(MAT_LIKE)
def test_lines_that_look_like_a_match_are_one_or_are_named_in_one_line(text: str) -> None:
    error = error_of(read_mat_warned, text)
    assert error is None or ("\n" not in error and error.startswith("a file:"))


@given(SGF_LIKE)
def test_text_that_looks_like_a_tree_is_one_or_is_named_in_one_line(text: str) -> None:
    error = error_of(read_sgf, text)
    assert error is None or ("\n" not in error and error.startswith("a file:"))


@pytest.mark.parametrize("error", [RecordError, AskedError])
def test_wrong_record_or_question_is_a_wrong_value_and_no_refusal_of_a_master(
    error: type[Exception],
) -> None:
    assert issubclass(error, ValueError)
    assert not issubclass(error, MasterError)
    assert not issubclass(error, UnicodeError), "which has more than a text"
