"""What master.games.backgammon.play.commands reads."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.backgammon.play.commands import HELP, QUITTING, Command, Word, read_command
from master.games.words import LINE_CHARACTERS_MAX, CommandMistake


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", Command(Word.ROLL)),
        ("  r ", Command(Word.ROLL)),
        ("Double", Command(Word.DOUBLE)),
        ("redouble", Command(Word.DOUBLE)),
        ("t", Command(Word.TAKE)),
        ("drop", Command(Word.PASS)),
        ("beaver", Command(Word.BEAVER)),
        ("resign", Command(Word.RESIGN)),
        ("resign gammon", Command(Word.RESIGN, number=2)),
        ("resign 3", Command(Word.RESIGN, number=3)),
        ("8/5 6/5", Command(Word.MOVE, "8/5 6/5")),
        ("bar/20*", Command(Word.MOVE, "bar/20*")),
        ("b/20", Command(Word.MOVE, "b/20")),
        ("moves 8/", Command(Word.MOVES, "8/")),
        ("hint", Command(Word.HINT, number=5)),
        ("h 3", Command(Word.HINT, number=3)),
        ("undo", Command(Word.UNDO)),
        ("u 4", Command(Word.UNDO, number=4)),
        ("redo 2", Command(Word.REDO, number=2)),
        ("dice 6-5", Command(Word.DICE, dice=(6, 5))),
        ("save my match.sgf", Command(Word.SAVE, "my match.sgf")),
        ("save", Command(Word.SAVE)),
        ("?", Command(Word.HELP)),
        ("quit", Command(Word.QUIT)),
    ],
)
def test_a_line_is_read_as_people_mean_it(line: str, command: Command) -> None:
    assert read_command(line) == command


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("frobnicate", "no command and no move"),
        ("take it", "stands alone"),
        ("resign tomorrow", "single, gammon or backgammon"),
        ("hint 0", "1 to 60"),
        ("undo all", "number"),
        ("dice 71", "two dice of 1 to 6"),
        ("dice", "two dice of 1 to 6"),
        ("1" * (LINE_CHARACTERS_MAX + 1), str(LINE_CHARACTERS_MAX)),
    ],
)
def test_a_line_that_means_nothing_says_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(CommandMistake, match=expected):
        read_command(line)


@given(st.text(max_size=40))
def test_any_line_is_a_command_or_one_clear_mistake(line: str) -> None:
    try:
        command = read_command(line)
    except CommandMistake as mistake:
        text = str(mistake)
    else:
        text = command.text
    assert "\n" not in text or "\n" in line


def test_help_names_every_command_and_fits_a_narrow_terminal() -> None:
    words = set(re.findall("[a-z]+", HELP))
    assert {word.value for word in Word if word is not Word.HELP} <= words
    assert max(map(len, HELP.splitlines())) <= 60


def test_words_that_leave_do_so_at_the_prompt() -> None:
    assert {"q", "quit", "exit"} == QUITTING
    assert all(read_command(word) == Command(Word.QUIT) for word in QUITTING)
