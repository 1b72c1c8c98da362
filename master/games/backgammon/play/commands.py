"""What a player types, as commands.

Knows words only.  Must not know what is allowed at the moment (see live_match) nor the board: a
line that is no command is taken for a move, and read where the position is known.
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


class Word(Enum):
    """The commands, each by its full name."""

    ROLL = "roll"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RESIGN = "resign"
    MOVE = "move"
    MOVES = "moves"
    HINT = "hint"
    UNDO = "undo"
    REDO = "redo"
    DICE = "dice"
    SAVE = "save"
    LOAD = "load"
    NEW = "new"
    BOARD = "board"
    REVIEW = "review"
    HELP = "help"
    QUIT = "quit"


@dataclass(frozen=True)
class Command:
    """One line: a word and what it needs.

    Args:
        word: what to do.
        text: a move, a path, or the beginning of the moves asked for.
        number: steps to undo or redo, candidates of a hint, or 1 to 3: what is resigned.
        dice: the roll, of `dice`.
    """

    word: Word
    text: str = ""
    number: int = 1
    dice: tuple[int, int] | None = None


_SHORT = {
    "": Word.ROLL, "r": Word.ROLL, "d": Word.DOUBLE, "redouble": Word.DOUBLE, "t": Word.TAKE,
    "accept": Word.TAKE, "p": Word.PASS, "drop": Word.PASS, "reject": Word.PASS, "b": Word.BEAVER,
    "m": Word.MOVES, "h": Word.HINT, "u": Word.UNDO, "?": Word.HELP, "q": Word.QUIT,
    "exit": Word.QUIT, "quit": Word.QUIT, "show": Word.BOARD,
}  # fmt: skip
_WORDS = {word.value: word for word in Word if word is not Word.MOVE} | _SHORT
QUITTING = frozenset(word for word, meant in _WORDS.items() if meant is Word.QUIT)
"""What leaves, also where dice are asked for."""

_RESIGNATIONS = {
    "": 1, "1": 1, "2": 2, "3": 3, "s": 1, "single": 1, "n": 1, "normal": 1, "g": 2, "gammon": 2,
    "b": 3, "backgammon": 3, "bg": 3,
}  # fmt: skip

_PLAIN = frozenset({
    Word.ROLL, Word.DOUBLE, Word.TAKE, Word.PASS, Word.BEAVER, Word.BOARD, Word.HELP, Word.QUIT,
    Word.REVIEW, Word.NEW,
})  # fmt: skip


def read_command(line: str) -> Command:
    """Return what a line asks for; one that begins with no known word is a move.

    Raises:
        CommandMistake: a word whose rest makes no sense.
    """
    word, rest = read_word(line, _WORDS, _PLAIN)
    if word is None:
        return _read_move(rest)
    if word in _PLAIN:
        return Command(word)
    if word is Word.RESIGN:
        return _read_resignation(rest)
    if word is Word.DICE:
        return Command(word, dice=read_roll(rest))
    if word in (Word.SAVE, Word.LOAD, Word.MOVES):
        return Command(word, rest)
    default, most = (HINTS_DEFAULT, HINTS_MAX) if word is Word.HINT else (1, UNDO_MAX)
    return Command(word, number=read_count(word.value, rest, default, most))


def _read_move(text: str) -> Command:
    if re.search(r"[0-9]|bar|off", text, re.IGNORECASE):
        return Command(Word.MOVE, text)
    raise CommandMistake(f"{text!r} is no command and no move: try help")


def _read_resignation(rest: str) -> Command:
    if rest.lower() not in _RESIGNATIONS:
        raise CommandMistake(f"resign what? single, gammon or backgammon, not {rest!r}")
    return Command(Word.RESIGN, number=_RESIGNATIONS[rest.lower()])


def read_roll(text: str) -> tuple[int, int]:
    """Return two dice, written 31, 3-1, 3,1 or `3 1`; CommandMistake otherwise."""
    match = re.fullmatch(r"([1-6])[-, ]?\s*([1-6])", text.strip())
    if match is None:
        raise CommandMistake(f"{text!r} is not a roll: expected two dice of 1 to 6, such as 31")
    return int(match[1]), int(match[2])


HELP = """\
(Enter), roll        roll, or play the only move
8/5 6/5, bar/20*     move; also 8/5(2)
double, redouble     offer the cube
take, pass, beaver   answer a double
resign [gammon]      give the game up; also backgammon
moves [8/]           list legal moves, or those from there
hint [N]             list the N best
undo [N], redo [N]   take back, or do again
dice 31              choose the roll
save FILE            write a copy, .sgf or .mat
load FILE            go over to another match
new                  begin another of this length
review               errors and luck so far
board                draw the board again
quit                 leave; the match is saved"""
