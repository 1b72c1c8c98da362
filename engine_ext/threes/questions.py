"""The text form of questions about boards of Threes!, and of their answers.

A question is a batch of parts of a search.  The module loads no engine.

A question is `threes-expectimax/1 engine=DIGEST plies=N boards=BOARD,BOARD,...`; a board is 16 hex
digits, a point, how many 1s, 2s and 3s are left in the bag and, if the search has a limit of
rarity, a point and the rest of that limit.  Its answer is the expected final score of each in their
order, 17 digits, with blanks between: `(board, bag, plies) -> score`, A of expectimax.pyx.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.contexts import ContextError
from engine_ext.threes.depth import DEEPEST, UNLIMITED

KIND = "threes-expectimax/1"
"""The first word of the text."""

SERVICE = "expectimax"

BOARDS_MAX = 256
"""Of a question: 26 characters each at most are 6,656 of services.CONTEXT_BYTES_MAX."""

VALUE_MAX = 2.0**31
"""More than any game is worth: sixteen cards of 12288 are 25,509,168 points."""

PLIES_MAX = DEEPEST - 1
"""Of a part: one less than of a whole search."""

_TEXT = re.compile(rf"{KIND} engine=([0-9a-f]{{16}}) plies=([1-9]) boards=([0-9a-f.,]+)")
_NUMBER = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?(e[+-][0-9]{1,3})?")
_BOARD = re.compile(
    r"([0-9a-f]{16})\.([0-4])([0-4])([0-4])(?:\.(0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5]))?"
)


@dataclass(frozen=True, slots=True)
class BoardAsked:
    """A board into which the card has come.

    Args:
        cells: as ThreesBoard has it.
        bag: how many 1s, 2s and 3s are left, before the draw of the next card.
        rarity: less likely branches are cut.
    """

    cells: int
    bag: tuple[int, int, int]
    rarity: int = UNLIMITED

    def to_text(self) -> str:
        """Return the canonical text."""
        tail = "" if self.rarity == UNLIMITED else f".{self.rarity}"
        return f"{self.cells:016x}"[::-1] + f".{''.join(map(str, self.bag))}{tail}"

    @classmethod
    def from_text(cls, text: str) -> BoardAsked:
        """Return the board of a text; ContextError if it is none."""
        match = _BOARD.fullmatch(text)
        if match is None:
            raise ContextError(
                "bad-context", f"{text[:40]!r} is no board: expected 16 hex digits, a point, a bag"
            )
        bag = (int(match[2]), int(match[3]), int(match[4]))
        return cls(int(match[1][::-1], 16), bag, UNLIMITED if match[5] is None else int(match[5]))


@dataclass(frozen=True, slots=True)
class PartsQuestion:
    """Boards to be valued.

    Args:
        engine: digest of the engine.
        plies: moves to look ahead.
        boards: at least one.
    """

    engine: str
    plies: int
    boards: tuple[BoardAsked, ...]

    def to_text(self) -> str:
        """Return the canonical text."""
        boards = ",".join(board.to_text() for board in self.boards)
        return f"{KIND} engine={self.engine} plies={self.plies} boards={boards}"

    @classmethod
    def from_text(cls, text: str) -> PartsQuestion:
        """Return the question of a canonical text; ContextError `bad-context` otherwise."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ContextError(
                "bad-context", f"expected '{KIND} engine=DIGEST plies=N boards=BOARD,...'"
            )
        plies, boards = int(match[2]), match[3].split(",")
        if plies > PLIES_MAX or len(boards) > BOARDS_MAX:
            raise ContextError(
                "bad-context", f"expected 1 to {PLIES_MAX} plies, at most {BOARDS_MAX} boards"
            )
        return cls(match[1], plies, tuple(map(BoardAsked.from_text, boards)))


def write_values(values: Sequence[float]) -> str:
    """Return the answer with the values."""
    return " ".join(f"{value:.17g}" for value in values)


def read_values(text: str, count: int) -> list[float]:
    """Return the values of an answer.

    Raises:
        ValueError: a value is impossible, or their number is wrong.
    """
    words = text.split(" ")
    if len(words) != count:
        raise ValueError(f"expected {count} values, not {len(words)}")
    if not all(map(_NUMBER.fullmatch, words)):
        raise ValueError("expected decimal numbers")
    values = [float(word) for word in words]
    if not all(value <= VALUE_MAX for value in values):
        raise ValueError(f"expected values from 0 to {VALUE_MAX:.0f}")
    return values
