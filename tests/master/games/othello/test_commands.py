"""What master.games.othello.commands reads."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import square_name
from master.games.othello.commands import (
    OTHELLO_HELP,
    OthelloCommand,
    OthelloWord,
    read_othello_command,
)
from master.games.words import LINE_CHARACTERS_MAX, CommandMistake


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", OthelloCommand(OthelloWord.ENTER)),
        (" F5 ", OthelloCommand(OthelloWord.MOVE, "f5")),
        ("z9", OthelloCommand(OthelloWord.MOVE, "z9")),
        ("go", OthelloCommand(OthelloWord.GO)),
        ("pass", OthelloCommand(OthelloWord.PASS)),
        ("hint", OthelloCommand(OthelloWord.HINT, number=5)),
        ("h 3", OthelloCommand(OthelloWord.HINT, number=3)),
        ("eval on", OthelloCommand(OthelloWord.EVAL, is_on=True)),
        ("eval OFF", OthelloCommand(OthelloWord.EVAL, is_on=False)),
        ("eval", OthelloCommand(OthelloWord.EVAL)),
        ("undo", OthelloCommand(OthelloWord.UNDO)),
        ("u 4", OthelloCommand(OthelloWord.UNDO, number=4)),
        ("redo 2", OthelloCommand(OthelloWord.REDO, number=2)),
        ("save my game.ggf", OthelloCommand(OthelloWord.SAVE, "my game.ggf")),
        ("LOAD a.txt", OthelloCommand(OthelloWord.LOAD, "a.txt")),
        ("record", OthelloCommand(OthelloWord.RECORD)),
        ("new", OthelloCommand(OthelloWord.NEW)),
        ("?", OthelloCommand(OthelloWord.HELP)),
        ("exit", OthelloCommand(OthelloWord.QUIT)),
    ],
)
def test_a_line_is_read_as_people_mean_it(line: str, command: OthelloCommand) -> None:
    assert read_othello_command(line) == command


@given(st.integers(0, 63))
def test_every_square_is_a_move(square: int) -> None:
    name = square_name(square)
    for line in (name, name.upper(), f" {name}\t"):
        assert read_othello_command(line) == OthelloCommand(OthelloWord.MOVE, name)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("frobnicate", "no command and no square such as f5"),
        ("f5d6", "no command and no square such as f5"),
        ("f5 d6", "no command and no square such as f5"),
        ("go there", "stands alone"),
        ("hint 0", "hint takes a number from 1 to 60, not '0'"),
        ("undo all", "undo takes a number"),
        ("redo -1", "redo takes a number"),
        ("eval maybe", "eval is on or off, not 'maybe'"),
        ("x" * (LINE_CHARACTERS_MAX + 1), "at most 500 characters"),
    ],
)
def test_a_mistake_says_what_was_expected(line: str, expected: str) -> None:
    with pytest.raises(CommandMistake, match=re.escape(expected)):
        read_othello_command(line)


@given(st.text(max_size=40))
def test_any_line_is_a_command_or_a_mistake(line: str) -> None:
    try:
        command = read_othello_command(line)
    except CommandMistake:
        return
    assert command.word in OthelloWord


def test_the_help_names_every_command() -> None:
    words = set(re.findall(r"[a-z]+", OTHELLO_HELP))
    unlisted = {OthelloWord.ENTER, OthelloWord.MOVE, OthelloWord.PASS, OthelloWord.HELP}
    assert words >= {word.value for word in OthelloWord if word not in unlisted}
    assert all(len(line) <= 80 for line in OTHELLO_HELP.splitlines())
