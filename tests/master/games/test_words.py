"""Words of any game: what a line begins with, and how many are meant."""

from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.words import LINE_CHARACTERS_MAX, UNDO_MAX, CommandMistake, read_count, read_word


class Toy(Enum):
    UNDO = "undo"
    QUIT = "quit"


WORDS = {"undo": Toy.UNDO, "u": Toy.UNDO, "quit": Toy.QUIT}


@given(st.sampled_from(sorted(WORDS)), st.text(max_size=20))
def test_known_word_is_taken_off_whatever_follows(word: str, rest: str) -> None:
    found = read_word(f"  {word.upper()} {rest}", WORDS, frozenset())
    assert found == (WORDS[word], rest.strip())


def test_what_begins_with_no_known_word_is_left_whole() -> None:
    assert read_word(" 8/5 6/5 ", WORDS, frozenset()) == (None, "8/5 6/5")


def test_word_that_stands_alone_takes_nothing() -> None:
    assert read_word("quit", WORDS, {Toy.QUIT}) == (Toy.QUIT, "")
    with pytest.raises(CommandMistake, match="quit stands alone: what is 'now'"):
        read_word("quit now", WORDS, {Toy.QUIT})


def test_line_is_bounded() -> None:
    with pytest.raises(CommandMistake, match="at most"):
        read_word("x" * (LINE_CHARACTERS_MAX + 1), WORDS, frozenset())


@given(st.integers(1, UNDO_MAX))
def test_count_is_read_as_written(count: int) -> None:
    assert read_count("undo", str(count), 1, UNDO_MAX) == count


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "10001", "\u0663"])
def test_what_is_no_count_says_what_was_expected(text: str) -> None:
    with pytest.raises(CommandMistake, match="undo takes a number from 1 to 10000"):
        read_count("undo", text, 1, UNDO_MAX)


def test_count_that_is_left_out_is_the_usual_one() -> None:
    assert read_count("hint", "", 5, 60) == 5
