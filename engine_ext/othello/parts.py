"""Parts of an Othello search as they travel: what is asked, what was proved, what tables hold.

Knows the three kinds of line and what makes sense in them.  Must not know how a part is searched.
Whoever reads a line does not trust it.

* `othello-search/1 engine=DIGEST board=SQUARES kind=solve|depth depth=N alpha=A beta=B`: SQUARES
  row by row, the side to move X, the other O, `-` empty.  A part that is solved has as much depth
  as empty squares and values in discs; one of a depth has values in 1/100 disc, as
  `search.Search` has them.
* `lower=L upper=U nodes=N best=I moves=I:L:U,...`: what is proved, for the side to move; I is the
  place of a move in `OthelloBoard.moves()`, -1: no move is known to be best.  `I:L:U:E` tells that
  a move's value is expected at E.
* `othello-entries/1 engine=DIGEST kind=KIND size=SIZE crc=SUM BASE64`: entries of a table that
  keeps values of this kind, of boards of this size, 30 bytes each; table.pyx says what they hold.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple
from zlib import crc32

from engine_ext.othello.board import SIZES, OthelloBoard
from engine_ext.othello.table import ENTRY_BYTES, unpack_entries
from engine_ext.services import ContextError

QUESTION_KIND = "othello-search/1"
ENTRIES_KIND = "othello-entries/1"

SCORE_MAX = 64
"""Discs of a board that one side has won altogether."""

DISC = 100
"""Of an evaluation's units."""

VALUE_MAX = DISC * SCORE_MAX
"""The same in 1/100 disc."""

DEPTH_MAX = 60
"""Empty squares of the start."""

ENTRIES_CHARACTERS_MAX = 8_192
"""Longest text of entries: the protocol's limit."""

LINE_ENTRIES_MAX = 200
"""Entries of one text: 40 characters each, and 100 before them."""

SQUARE_NONE = 64

_NUMBER = r"(-?[0-9]{1,12})"
_QUESTION = re.compile(
    rf"{QUESTION_KIND} engine=([0-9a-f]{{16}}) board=([XO-]{{16,64}}) kind=(solve|depth)"
    rf" depth=([0-9]{{1,2}}) alpha={_NUMBER} beta={_NUMBER}"
)
_ANSWER = re.compile(
    rf"lower={_NUMBER} upper={_NUMBER} nodes=([0-9]{{1,19}}) best={_NUMBER} moves=([-0-9:,]*)"
)
_MOVE = re.compile(rf"([0-9]{{1,2}}):{_NUMBER}:{_NUMBER}(?::{_NUMBER})?")
_ENTRIES = re.compile(
    rf"{ENTRIES_KIND} engine=([0-9a-f]{{16}}) kind=(solve|depth) size=([468])"
    r" crc=([0-9a-f]{8}) ([A-Za-z0-9+/]+)"
)


class PartKind(StrEnum):
    """What a part's value means."""

    SOLVE = "solve"  # the score of best play to the end of the game
    DEPTH = "depth"  # an evaluation of best play for so many moves

    @property
    def value_max(self) -> int:
        """No value is larger, nor smaller than minus this."""
        return SCORE_MAX if self is PartKind.SOLVE else VALUE_MAX


class AnswerError(ValueError):
    """A text that is no answer; the text of the error says why in one sentence."""


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """What is asked of an analyser.

    Args:
        engine: digest of the engine that may answer.
        board: the position, X to move.
        depth: moves to look ahead; as many as empty squares if it is solved.
        alpha: lower end of the window; both ends may lie beyond all values.
        beta: upper end.
        kind: what values mean.
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
        return (
            f"{QUESTION_KIND} engine={self.engine} board={squares} kind={self.kind}"
            f" depth={self.depth} alpha={self.alpha} beta={self.beta}"
        )

    @classmethod
    def from_text(cls, text: str) -> PartQuestion:
        """Return the question of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that says what is wrong.
        """
        match = _QUESTION.fullmatch(text)
        if match is None:
            raise _bad(f"expected a part: {QUESTION_KIND} engine=... board=... kind=... and so on")
        engine, squares, kind = match.groups()[:3]
        depth, alpha, beta = map(int, match.groups()[3:])
        if len(squares) not in [size * size for size in SIZES]:
            raise _bad(f"a board has 16, 36 or 64 squares, not {len(squares)}")
        board = _read_board(squares)
        asked = cls(engine, board, depth, alpha, beta, PartKind(kind))
        if asked.kind is PartKind.SOLVE and asked.depth != board.empties:
            raise _bad(f"expected depth {board.empties}, the empty squares, not {asked.depth}")
        if asked.depth > DEPTH_MAX or asked.alpha >= asked.beta:
            raise _bad(f"expected a depth of at most {DEPTH_MAX}, and alpha < beta")
        if [*map(str, (depth, alpha, beta))] != [*match.groups()[3:]]:
            raise _bad("expected numbers in their shortest form")
        return asked


_BLACK, _WHITE = str.maketrans("XO-", "100"), str.maketrans("XO-", "010")


def _read_board(squares: str) -> OthelloBoard:
    """Read X, O and -, the first square being the lowest bit; in 2 us, where it comes often."""
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


class ProvedMove(NamedTuple):
    """What is proved of one move: lower <= value <= upper, for the side that makes it.

    `place` is its place in `OthelloBoard.moves()`; `estimate` is about its value, None: nobody
    looked.
    """

    place: int
    lower: int
    upper: int
    estimate: int | None = None

    def to_text(self) -> str:
        """Return the canonical text."""
        return ":".join(str(number) for number in self if number is not None)


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What an analyser has proved of a part, finished or not: lower <= value <= upper.

    Args:
        lower: seen by the side to move.
        upper: likewise.
        nodes: boards visited for it.
        best: place of the best move found so far in `OthelloBoard.moves()`; None if none.
        moves: of which something is proved or expected, by their places.
    """

    lower: int
    upper: int
    nodes: int
    best: int | None = None
    moves: tuple[ProvedMove, ...] = ()

    def to_text(self) -> str:
        """Return the canonical text."""
        best = -1 if self.best is None else self.best
        moves = ",".join(move.to_text() for move in self.moves)
        return f"lower={self.lower} upper={self.upper} nodes={self.nodes} best={best} moves={moves}"

    @classmethod
    def from_text(cls, text: str) -> PartAnswer:
        """Return the answer of a text; whether its bounds are true is not to be seen here.

        Raises:
            AnswerError: it is the canonical text of no answer.
        """
        match = _ANSWER.fullmatch(text)
        if match is None:
            raise AnswerError("expected lower=L upper=U nodes=N best=I moves=I:L:U,...")
        lower, upper, nodes, best = map(int, match.groups()[:4])
        found = cls(lower, upper, nodes, None if best == -1 else best, _read_moves(match[5]))
        places = [move.place for move in found.moves]
        if any(low > high for low, high in [(lower, upper), *(move[1:3] for move in found.moves)]):
            raise AnswerError("expected bounds with lower <= upper")
        if places != sorted(set(places)) or best < -1:
            raise AnswerError("expected each move once, by its place")
        if found.to_text() != text:
            raise AnswerError("expected numbers in their shortest form")
        return found


def _read_moves(text: str) -> tuple[ProvedMove, ...]:
    moves = []
    for word in filter(None, text.split(",")):
        match = _MOVE.fullmatch(word)
        if match is None:
            raise AnswerError(f"expected a move I:L:U or I:L:U:E, not {word[:40]!r}")
        moves.append(ProvedMove(*(int(number) for number in match.groups() if number is not None)))
    return tuple(moves)


@dataclass(frozen=True, slots=True)
class TableName:
    """Which tables may hold the same entries.

    Args:
        engine: digest of the engine that proved them.
        kind: what values mean.
        size: squares a side of their boards.
    """

    engine: str
    kind: PartKind = PartKind.SOLVE
    size: int = 8


Entry = tuple[bytes, int, bytes]
"""(key, depth, content), as `HashTable.news` tells them."""


def entries_text(name: TableName, entries: Iterable[Entry]) -> list[str]:
    """Return table entries as texts that each fit a line, in their order."""
    packed = [key + content for key, _, content in entries]
    return [
        _entries_line(name, b"".join(packed[first : first + LINE_ENTRIES_MAX]))
        for first in range(0, len(packed), LINE_ENTRIES_MAX)
    ]


def _entries_line(name: TableName, packed: bytes) -> str:
    line = (
        f"{ENTRIES_KIND} engine={name.engine} kind={name.kind} size={name.size}"
        f" crc={_sum(name, packed)} {b64encode(packed).decode('ascii')}"
    )
    assert len(line) <= ENTRIES_CHARACTERS_MAX
    return line


def _sum(name: TableName, packed: bytes) -> str:
    """Tell a damaged line, which might be a false bound, from a whole one."""
    head = f"{name.engine} {name.kind} {name.size} "
    return f"{crc32(packed, crc32(head.encode('ascii'))):08x}"


def read_entries(text: str) -> tuple[TableName, list[Entry]]:
    """Return the entries of a text, and the tables that may hold them.

    Raises:
        ContextError: `bad-context`, the text is damaged, or holds what is no entry.
    """
    match = _ENTRIES.fullmatch(text)
    if match is None or len(match[5]) % 4:
        raise _bad(f"expected entries: {ENTRIES_KIND} engine=... kind=... size=... crc=... BASE64")
    name = TableName(match[1], PartKind(match[2]), int(match[3]))
    packed = b64decode(match[5], validate=True)
    if len(packed) % ENTRY_BYTES or len(packed) > LINE_ENTRIES_MAX * ENTRY_BYTES:
        raise _bad(f"expected 1 to {LINE_ENTRIES_MAX} entries of {ENTRY_BYTES} bytes")
    if match[4] != _sum(name, packed):
        raise _bad("the entries do not have the stated sum")
    depth_max = 0 if name.kind is PartKind.SOLVE else DEPTH_MAX
    try:
        return name, unpack_entries(packed, name.size, depth_max, name.kind.value_max)
    except ValueError as error:
        raise _bad(str(error)) from None


def _bad(text: str) -> ContextError:
    return ContextError("bad-context", text)
