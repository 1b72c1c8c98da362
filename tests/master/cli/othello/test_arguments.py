"""A board given as words of a command line."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from master.cli.othello.arguments import to_othello_board
from tests.engine_ext.othello.positions import running

BOARDS = [OthelloBoard.start(size) for size in (4, 6, 8)] + running(20, 10)


@given(st.sampled_from(BOARDS))
def test_board_is_read_in_two_words_or_in_one(board: OthelloBoard) -> None:
    assert to_othello_board(board.to_text().split()) == board
    assert to_othello_board([board.to_text()]) == board


@pytest.mark.parametrize("word", ["--solv", "-x", "--depth=3", "--all-move"])
def test_word_that_looks_like_an_option_is_none_that_is_known(word: str) -> None:
    squares, side = OthelloBoard.start().to_text().split()
    with pytest.raises(click.NoSuchOption) as caught:
        to_othello_board([squares, word, side])
    assert caught.value.option_name == word.partition("=")[0]


@pytest.mark.parametrize("words", [[], ["X"], ["-" * 63, "X"], ["-" * 64, "Z"]])
def test_words_that_are_no_board_are_bad_usage(words: list[str]) -> None:
    with pytest.raises(click.UsageError, match=r"64 characters|is X or O"):
        to_othello_board(words)
