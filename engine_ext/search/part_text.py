"""The text form of parts of a game-tree search: questions, answers, table entries.

Each game defines its words and their meaning.  Readers do not trust a line: they check it.  There
are three kinds of line:

* `GAME-search/1 engine=DIGEST board=POSITION kind=KIND depth=N alpha=A beta=B`: KIND is the meaning
  of values.  A game may use another name than `board`.
* `lower=L upper=U nodes=N best=I moves=I:L:U,...`: the proved bounds, for the side to move; I is
  the place of a move in the game's own list, -1: no move is known to be best.  In `I:L:U:E`, E is
  the estimate of the move's value.
* `GAME-entries/1 engine=DIGEST kind=KIND VARIANT crc=SUM BASE64`: entries of a table with values of
  this kind, such as of boards of one size; see table.pyx for their fields.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple
from zlib import crc32

from engine_ext.contexts import ContextError

ENTRIES_CHARACTERS_MAX = 8_192
"""Longest text of entries: the protocol's limit."""

LINE_BYTES_MAX = 6_000
"""Entries of one text, packed: 8,000 characters, and 100 before them."""

Entry = tuple[bytes, int, bytes]
"""(key, depth, content), as in `HashTable.news`."""

_ENGINE = "engine=([0-9a-f]{16})"
_NUMBER = r"(-?[0-9]{1,12})"
_ANSWER = re.compile(
    rf"lower={_NUMBER} upper={_NUMBER} nodes=([0-9]{{1,19}}) best={_NUMBER} moves=([-0-9:,]*)"
)
_MOVE = re.compile(rf"([0-9]{{1,3}}):{_NUMBER}:{_NUMBER}(?::{_NUMBER})?")


class PartAnswerError(ValueError):
    """A text that is no answer; the text of the error says why in one sentence."""


class QuestionWords(NamedTuple):
    """A part's question to an analyser, in the words of its line.

    `engine` is the digest of the engine that may answer; the window's ends may lie beyond all
    values.
    """

    engine: str
    position: str
    kind: str
    depth: int
    alpha: int
    beta: int


class TableWords(NamedTuple):
    """Which tables may hold the same entries, in the words of their line."""

    engine: str
    kind: str
    variant: str


class PartWord(NamedTuple):
    """A word of a line that the game defines: its name, and the pattern of its text."""

    name: str
    pattern: str


class PartForm:
    """How the lines of one game look."""

    def __init__(
        self,
        game: str,
        kinds: Iterable[str],
        position: PartWord,
        variant: PartWord,
        entry_bytes: int,
    ) -> None:
        """Prepare to read and write.

        Args:
            game: its name.
            kinds: the possible meanings of values.
            position: of a question.
            variant: tells the game's tables apart that have one engine and kind.
            entry_bytes: of one entry, packed.
        """
        self.question_kind = f"{game}-search/1"
        self.entries_kind = f"{game}-entries/1"
        self.line_entries_max = LINE_BYTES_MAX // entry_bytes
        self._names = position.name, variant.name
        self._entry_bytes = entry_bytes
        kind = f"kind=({'|'.join(kinds)})"
        self._question = re.compile(
            rf"{self.question_kind} {_ENGINE} {position.name}=({position.pattern}) {kind}"
            rf" depth=([0-9]{{1,3}}) alpha={_NUMBER} beta={_NUMBER}"
        )
        self._entries = re.compile(
            rf"{self.entries_kind} {_ENGINE} {kind} {variant.name}=({variant.pattern})"
            r" crc=([0-9a-f]{8}) ([A-Za-z0-9+/]+={0,2})"
        )

    def question_text(self, asked: QuestionWords) -> str:
        """Return the canonical text of a question."""
        engine, position, kind, depth, alpha, beta = asked
        return (
            f"{self.question_kind} engine={engine} {self._names[0]}={position} kind={kind}"
            f" depth={depth} alpha={alpha} beta={beta}"
        )

    def read_question(self, text: str) -> QuestionWords:
        """Return the words of a question's text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        match = self._question.fullmatch(text)
        if match is None:
            raise bad_text(
                f"expected a part: {self.question_kind} engine=... {self._names[0]}=... kind=..."
                " and so on"
            )
        engine, position, kind, *written = match.groups()
        numbers = depth, alpha, beta = [int(number) for number in written]
        if alpha >= beta:
            raise bad_text("expected alpha < beta")
        if [str(number) for number in numbers] != written:
            raise bad_text("expected numbers in their shortest form")
        return QuestionWords(engine, position, kind, depth, alpha, beta)

    def entries_texts(self, table: TableWords, entries: Iterable[Entry]) -> list[str]:
        """Return table entries as texts that each fit a line, in their order."""
        packed = [key + content for key, _, content in entries]
        most = self.line_entries_max
        return [
            self._entries_line(table, b"".join(packed[first : first + most]))
            for first in range(0, len(packed), most)
        ]

    def _entries_line(self, table: TableWords, packed: bytes) -> str:
        line = (
            f"{self.entries_kind} engine={table.engine} kind={table.kind}"
            f" {self._names[1]}={table.variant} crc={_sum(table, packed)}"
            f" {b64encode(packed).decode('ascii')}"
        )
        assert len(line) <= ENTRIES_CHARACTERS_MAX
        return line

    def read_entries(self, text: str) -> tuple[TableWords, bytes]:
        """Return the packed entries of a text, and which tables may hold them.

        Raises:
            ContextError: `bad-context`: the text is damaged, or holds no whole entries.
        """
        match = self._entries.fullmatch(text)
        if match is None or len(match[5]) % 4:
            raise bad_text(
                f"expected entries: {self.entries_kind} engine=... kind=... {self._names[1]}=..."
                " crc=... BASE64"
            )
        table = TableWords(match[1], match[2], match[3])
        packed = b64decode(match[5], validate=True)
        if len(packed) % self._entry_bytes or len(packed) > LINE_BYTES_MAX:
            raise bad_text(
                f"expected 1 to {self.line_entries_max} entries of {self._entry_bytes} bytes"
            )
        if match[4] != _sum(table, packed) or b64encode(packed).decode("ascii") != match[5]:
            raise bad_text("the entries do not have the stated sum")
        return table, packed


def _sum(table: TableWords, packed: bytes) -> str:
    """Return a checksum: it detects a damaged line, which could be a false bound."""
    head = f"{table.engine} {table.kind} {table.variant} "
    return f"{crc32(packed, crc32(head.encode('ascii'))):08x}"


def bad_text(text: str) -> ContextError:
    """Return the error of a line that is wrong."""
    return ContextError("bad-context", text)


class ProvedMove(NamedTuple):
    """The proved bounds of one move: lower <= value <= upper, for the side that makes it.

    `place` is its place in the game's list of moves; `estimate` is about its value, None: no
    search estimated it.
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
    """An analyser's answer to a part, finished or not: lower <= value <= upper.

    Args:
        lower: seen by the side to move.
        upper: likewise.
        nodes: positions visited for it.
        best: place of the best move found so far in the game's list of moves; None if none.
        moves: the moves with a bound or an estimate, by their places.
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
        """Return the answer of a text, without a check that its bounds are true.

        Raises:
            PartAnswerError: it is the canonical text of no answer.
        """
        match = _ANSWER.fullmatch(text)
        if match is None:
            raise PartAnswerError("expected lower=L upper=U nodes=N best=I moves=I:L:U,...")
        lower, upper, nodes, best = map(int, match.groups()[:4])
        found = cls(lower, upper, nodes, None if best == -1 else best, _read_moves(match[5]))
        places = [move.place for move in found.moves]
        if any(low > high for low, high in [(lower, upper), *(move[1:3] for move in found.moves)]):
            raise PartAnswerError("expected bounds with lower <= upper")
        if places != sorted(set(places)) or best < -1:
            raise PartAnswerError("expected each move once, by its place")
        if found.to_text() != text:
            raise PartAnswerError("expected numbers in their shortest form")
        return found


def _read_moves(text: str) -> tuple[ProvedMove, ...]:
    moves = []
    for word in filter(None, text.split(",")):
        match = _MOVE.fullmatch(word)
        if match is None:
            raise PartAnswerError(f"expected a move I:L:U or I:L:U:E, not {word[:40]!r}")
        moves.append(ProvedMove(*(int(number) for number in match.groups() if number is not None)))
    return tuple(moves)
