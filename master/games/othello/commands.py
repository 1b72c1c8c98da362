"""What a player of Othello types, as commands.

Knows words only.  Must not know what is allowed at the moment, nor the board: what looks like a
square, right or wrong, is a move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from master.games.words import (
    HINTS_DEFAULT,
    HINTS_MAX,
    UNDO_MAX,
    CommandMistake,
    read_count,
    read_word,
)


class OthelloWord(Enum):
    """The commands, each by its full name."""

    ENTER = ""
    MOVE = "move"
    GO = "go"
    PASS = "pass"
    HINT = "hint"
    EVAL = "eval"
    UNDO = "undo"
    REDO = "redo"
    NEW = "new"
    SAVE = "save"
    LOAD = "load"
    REVIEW = "review"
    RECORD = "record"
    BOARD = "board"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class OthelloCommand:
    """One line: a word and what it needs.

    Args:
        word: what to do.
        text: a square or a path.
        number: steps to undo or redo, moves of a hint.
        is_on: of `eval`; None: tell whether it is on.
    """

    word: OthelloWord
    text: str = ""
    number: int = 1
    is_on: bool | None = None


_SHORT = {
    "g": OthelloWord.GO, "pa": OthelloWord.PASS, "ps": OthelloWord.PASS, "--": OthelloWord.PASS,
    "h": OthelloWord.HINT, "u": OthelloWord.UNDO, "r": OthelloWord.REDO, "n": OthelloWord.NEW,
    "b": OthelloWord.BOARD, "show": OthelloWord.BOARD, "?": OthelloWord.HELP,
    "q": OthelloWord.QUIT, "exit": OthelloWord.QUIT,
}  # fmt: skip
_WORDS = {word.value: word for word in OthelloWord if word is not OthelloWord.MOVE} | _SHORT
_PLAIN = frozenset({
    OthelloWord.ENTER, OthelloWord.GO, OthelloWord.PASS, OthelloWord.NEW, OthelloWord.REVIEW,
    OthelloWord.RECORD, OthelloWord.BOARD, OthelloWord.HELP, OthelloWord.QUIT,
})  # fmt: skip
_SQUARE = re.compile(r"[a-z]\d{1,2}", re.ASCII | re.IGNORECASE)
_SWITCH = {"": None, "on": True, "off": False}


def read_othello_command(line: str) -> OthelloCommand:
    """Return what a line asks for.

    Raises:
        CommandMistake: it means nothing; the text says what was expected.
    """
    word, rest = read_word(line, _WORDS, _PLAIN)
    if word is None:
        return _read_move(rest)
    if word in _PLAIN:
        return OthelloCommand(word)
    if word in (OthelloWord.SAVE, OthelloWord.LOAD):
        return OthelloCommand(word, rest)
    if word is OthelloWord.EVAL:
        return _read_switch(rest)
    default, most = (HINTS_DEFAULT, HINTS_MAX) if word is OthelloWord.HINT else (1, UNDO_MAX)
    return OthelloCommand(word, number=read_count(word.value, rest, default, most))


def _read_move(text: str) -> OthelloCommand:
    if _SQUARE.fullmatch(text):
        return OthelloCommand(OthelloWord.MOVE, text.lower())
    raise CommandMistake(f"{text!r} is no command and no square such as f5: try help")


def _read_switch(rest: str) -> OthelloCommand:
    if rest.lower() not in _SWITCH:
        raise CommandMistake(f"eval is on or off, not {rest!r}")
    return OthelloCommand(OthelloWord.EVAL, is_on=_SWITCH[rest.lower()])


OTHELLO_HELP = """\
f5                   play there; + marks where you can
(Enter)              play the only move
go                   let the engine move for you
hint [N]             the N best moves, what they are worth, what follows
eval on, eval off    say what every move is worth, and what was better
undo [N], redo [N]   take back, or do again
new                  begin again
save FILE            write a copy, .ggf, or .txt for a transcript
load FILE            go over to another game: GGF, a transcript or a board
review               judge all moves so far
record               print the moves
board                draw the board again
quit                 leave; the game is saved
Passes happen by themselves.  Ctrl-C stops the engine where
it thinks, and ends the game where you do.  Values are discs
for the side that moves: whole ones are exact."""
