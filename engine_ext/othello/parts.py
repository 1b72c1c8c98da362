"""The text form of parts of an Othello search; see engine_ext.search.part_text.

* A question's `board=SQUARES` is row by row, the side to move X, the other O, `-` empty.  A part
  that is solved has as much depth as empty squares and values in discs; one of a depth has values
  in 1/100 disc, as `search.Search` has them.
* A move's place is that in `OthelloBoard.moves()`.
* Entries are of boards of one `size=SIZE`, 30 bytes each; see table.pyx for their fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine_ext.othello.board import SIZES, OthelloBoard
from engine_ext.othello.table import ENTRY_BYTES, unpack_entries
from engine_ext.search.part_text import (
    Entry,
    PartForm,
    PartWord,
    QuestionWords,
    TableWords,
    bad_text,
)

SCORE_MAX = 64
"""Score of an 8 x 8 board with discs of one side only."""

DISC = 100
"""Of an evaluation's units."""

VALUE_MAX = DISC * SCORE_MAX
"""The same in 1/100 disc."""

DEPTH_MAX = 60
"""Empty squares of the start."""


class PartKind(StrEnum):
    """The meaning of a part's value."""

    SOLVE = "solve"  # the score of best play to the end of the game
    DEPTH = "depth"  # an evaluation of best play for so many moves

    @property
    def value_max(self) -> int:
        """No value is larger, nor smaller than minus this."""
        return SCORE_MAX if self is PartKind.SOLVE else VALUE_MAX


FORM = PartForm("othello", PartKind, PartWord("board", "[XO-]{16,64}"), PartWord("size", "[468]"),
                ENTRY_BYTES)  # fmt: skip
"""How the lines look."""


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A part's question to an analyser.

    Args:
        engine: digest of the engine that may answer.
        board: the position, X to move.
        depth: moves to look ahead; as many as empty squares if it is solved.
        alpha: lower end of the window; both ends may lie beyond all values.
        beta: upper end.
        kind: the meaning of values.
    """

    engine: str
    board: OthelloBoard
    depth: int
    alpha: int
    beta: int
    kind: PartKind = PartKind.SOLVE

    def to_text(self) -> str:
        """Return the canonical text."""
        board = self.board
        squares = OthelloBoard(board.player, board.opponent, "X", board.size).to_text()[:-2]
        return FORM.question_text(
            QuestionWords(self.engine, squares, self.kind, self.depth, self.alpha, self.beta)
        )

    @classmethod
    def from_text(cls, text: str) -> PartQuestion:
        """Return the question of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        asked = FORM.read_question(text)
        board, kind = _read_board(asked.position), PartKind(asked.kind)
        if kind is PartKind.SOLVE and asked.depth != board.empties:
            raise bad_text(f"expected depth {board.empties}, the empty squares, not {asked.depth}")
        if asked.depth > DEPTH_MAX:
            raise bad_text(f"expected a depth of at most {DEPTH_MAX}")
        return cls(asked.engine, board, asked.depth, asked.alpha, asked.beta, kind)


_BLACK, _WHITE = str.maketrans("XO-", "100"), str.maketrans("XO-", "010")


def _read_board(squares: str) -> OthelloBoard:
    """Read X, O and -, the first square being the lowest bit; in 2 us, where it comes often."""
    if len(squares) not in [size * size for size in SIZES]:
        raise bad_text(f"a board has 16, 36 or 64 squares, not {len(squares)}")
    if len(squares) < SCORE_MAX:
        return OthelloBoard.from_text(f"{squares} X")
    last_first = squares[::-1]
    black, white = (int(last_first.translate(discs), 2) for discs in (_BLACK, _WHITE))
    return OthelloBoard(black, white)


def part_text(
    engine: str,
    board: OthelloBoard,
    depth: int,
    window: tuple[int, int],
    kind: PartKind = PartKind.SOLVE,
) -> str:
    """Return the text of a part's question; `window` is (alpha, beta)."""
    return PartQuestion(engine, board, depth, *window, kind).to_text()


@dataclass(frozen=True, slots=True)
class TableName:
    """Which tables may hold the same entries.

    Args:
        engine: digest of the engine that proved them.
        kind: the meaning of values.
        size: squares a side of their boards.
    """

    engine: str
    kind: PartKind = PartKind.SOLVE
    size: int = 8


def entries_text(name: TableName, entries: Iterable[Entry]) -> list[str]:
    """Return table entries as texts that each fit a line, in their order."""
    return FORM.entries_texts(TableWords(name.engine, name.kind, str(name.size)), entries)


def read_entries(text: str) -> tuple[TableName, list[Entry]]:
    """Return the entries of a text, and the tables that may hold them.

    Raises:
        ContextError: `bad-context`, the text is damaged, or contains an invalid entry.
    """
    table, packed = FORM.read_entries(text)
    name = TableName(table.engine, PartKind(table.kind), int(table.variant))
    depth_max = 0 if name.kind is PartKind.SOLVE else DEPTH_MAX
    try:
        return name, unpack_entries(packed, name.size, depth_max, name.kind.value_max)
    except ValueError as error:
        raise bad_text(str(error)) from None
