from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.games.backgammon.external.fibs_board import (
    NAME_CHARACTERS_MAX,
    FibsBoard,
    FibsError,
    read_fibs_board,
)
from tests.master.games.backgammon.external.gnubg_lines import FIBS_LINE, TURN_OF_1

numbers = st.integers(0, 99_999)
pairs = st.tuples(numbers, numbers)
signs = st.sampled_from((1, -1))
names = st.text(st.characters(codec="ascii", exclude_characters=":"), max_size=NAME_CHARACTERS_MAX)
boards = st.builds(
    FibsBoard,
    names=st.tuples(names, names),
    match_length=numbers,
    scores=pairs,
    points=st.lists(st.integers(-15, 15), min_size=26, max_size=26).map(tuple),
    turn=signs,
    dice=pairs,
    opponent_dice=pairs,
    cube_value=numbers,
    may_double=st.tuples(st.booleans(), st.booleans()),
    is_doubled=st.booleans(),
    colour=signs,
    direction=signs,
    off=pairs,
    on_bar=pairs,
    can_move=numbers,
    is_after_crawford=st.booleans(),
    redoubles=numbers,
)


@pytest.mark.slow
@settings(max_examples=50)
@given(boards)
def test_board_is_read_as_it_was_written(board: FibsBoard) -> None:
    assert read_fibs_board(board.text) == board


@pytest.mark.parametrize("line", [TURN_OF_1, FIBS_LINE])
def test_line_of_another_program_is_written_as_it_was_read(line: str) -> None:
    assert read_fibs_board(line).text == line


@given(st.text(max_size=40))
def test_other_text_is_no_board(text: str) -> None:
    with pytest.raises(FibsError, match="50 numbers"):
        read_fibs_board(text)


def test_count_of_numbers_is_told() -> None:
    with pytest.raises(FibsError, match="50 numbers between colons, not 49"):
        read_fibs_board(TURN_OF_1.rsplit(":", 1)[0])


@pytest.mark.parametrize(
    ("field", "value", "text"),
    [
        ("turn", 0, "a game that goes on"),
        ("turn", 2, "a turn of 1 or -1, not 2"),
        ("colour", 0, "a colour of 1 or -1, not 0"),
        ("direction", 3, "a direction of 1 or -1, not 3"),
    ],
)
def test_signs_are_signs(field: str, value: int, text: str) -> None:
    board = read_fibs_board(TURN_OF_1)
    object.__setattr__(board, field, value)
    with pytest.raises(FibsError, match=text):
        read_fibs_board(board.text)


def test_colon_in_a_name_ends_no_name() -> None:
    board = replace(read_fibs_board(TURN_OF_1), names=("a:b", "c"))
    assert read_fibs_board(board.text).names == ("a_b", "c")
