"""The text form of parts of a chess search; see engine_ext.search.part_text.

* A question's position is `position=FEN;FLAGS;REDUCED;BEFORE`: FEN without the number of the move,
  `_` for its spaces; FLAGS any of `r` (the root), `p` (the other side has just passed) and `b`
  (the game's positions can be come back to), or `-`; REDUCED the lesser depth of two, or `-`;
  BEFORE the keys of the game's positions, where they matter.
* Values are centipawns, as `exact.search.ExactSearch` has them.
* A move's place is that in `exact.position.Position.children`.
* Entries are 31 bytes each; see entries.pyx for their fields.  Their keys name the game before, so
  that one table is for all games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine_ext.chess.exact.position import (
    BEFORE,
    FULL_WIDTH,
    PASSED,
    ROOT,
    GameBefore,
    Position,
)
from engine_ext.chess.exact.search import DEEPEST, LARGEST_VALUE
from engine_ext.chess.fen import read_fen, write_fen
from engine_ext.chess.parts.entries import ENTRY_BYTES, unpack_entries
from engine_ext.search.part_text import (
    Entry,
    PartForm,
    PartWord,
    QuestionWords,
    TableWords,
    bad_text,
)

VALUE_MAX = LARGEST_VALUE
"""No value is larger, nor smaller than minus this."""


class PartKind(StrEnum):
    """The meaning of a part's value."""

    DEPTH = "depth"  # the best of so many plies


FORM = PartForm("chess", PartKind, PartWord("position", "[^ ]{1,5000}"), PartWord("keys", "128"),
                ENTRY_BYTES)  # fmt: skip
"""How the lines look."""

_KEYS = "128"
"""Bits of a position's key."""

_FLAGS = {"r": ROOT, "p": PASSED, "b": BEFORE, "f": FULL_WIDTH}
_POSITION = re.compile("([^;]*);(-|[rpbf]{1,4});(-|[0-9]{1,2});([0-9a-f,]*)")


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A part's question to an analyser.

    Args:
        engine: digest of the engine that may answer.
        position: the position to search.
        before: the game's positions.
        depth: plies to look ahead.
        alpha: lower end of the window; both ends may lie beyond all values.
        beta: upper end.
    """

    engine: str
    position: Position
    before: GameBefore
    depth: int
    alpha: int
    beta: int

    def to_text(self) -> str:
        """Return the canonical text."""
        return FORM.question_text(
            QuestionWords(
                self.engine, position_text(self.position, self.before), PartKind.DEPTH,
                self.depth, self.alpha, self.beta,
            )
        )  # fmt: skip

    @classmethod
    def from_text(cls, text: str) -> PartQuestion:
        """Return the question of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        asked = FORM.read_question(text)
        position, before = read_position(asked.position)
        if not position.reduced < asked.depth <= DEEPEST:
            raise bad_text(
                f"expected a depth of at most {DEEPEST}, and a lesser one if there are two"
            )
        return cls(asked.engine, position, before, asked.depth, asked.alpha, asked.beta)


def position_text(position: Position, before: GameBefore) -> str:
    """Return a position in one word."""
    fen = write_fen(position.board).rsplit(" ", 1)[0].replace(" ", "_")
    flags = "".join(letter for letter, flag in _FLAGS.items() if position.flags & flag) or "-"
    reduced = "-" if position.reduced < 0 else str(position.reduced)
    return f"{fen};{flags};{reduced};{before.to_text() if position.flags & BEFORE else ''}"


def read_position(word: str) -> tuple[Position, GameBefore]:
    """Return the position of a word and the game before it.

    Raises:
        ContextError: `bad-context`, with one sentence that names the error.
    """
    match = _POSITION.fullmatch(word)
    if match is None:
        raise bad_text("expected position=FEN;FLAGS;REDUCED;BEFORE")
    fen, letters, reduced, keys = match.groups()
    try:
        board = read_fen(fen.replace("_", " ") + " 1")
        before = GameBefore.from_text(keys)
    except ValueError as error:
        raise bad_text(str(error)) from None
    flags = sum(flag for letter, flag in _FLAGS.items() if letter in letters)
    if flags & PASSED and board.is_check:
        raise bad_text("nobody passes in check")
    position = Position(board, flags, -1 if reduced == "-" else int(reduced))
    if position_text(position, before) != word:
        raise bad_text("expected a position in its shortest form")
    return position, before


@dataclass(frozen=True, slots=True)
class TableName:
    """Which tables may hold the same entries.

    Args:
        engine: digest of the engine that proved them.
    """

    engine: str


def entries_text(name: TableName, entries: Iterable[Entry]) -> list[str]:
    """Return table entries as texts that each fit a line, in their order."""
    return FORM.entries_texts(TableWords(name.engine, PartKind.DEPTH, _KEYS), entries)


def read_entries(text: str) -> tuple[TableName, list[Entry]]:
    """Return the entries of a text, and the tables that may hold them.

    Raises:
        ContextError: `bad-context`, the text is damaged, or contains an invalid entry.
    """
    table, packed = FORM.read_entries(text)
    try:
        return TableName(table.engine), unpack_entries(packed)
    except ValueError as error:
        raise bad_text(str(error)) from None
