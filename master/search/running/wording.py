"""The interface of a game's wording: the texts that describe its parts to analysers.

Texts are plain lines; their content is up to the game.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.rules import SearchRules
from protocol.values import value


class WordingError(ValueError):
    """A text that makes no sense; the message is one line for people."""


@value
class Proved:
    """The bounds an analyser has proved of a part, with the fields of SearchPartEnded."""

    lower: int
    upper: int
    nodes: int
    best: int | None
    moves: tuple[MoveBounds, ...]

    def settles(self, alpha: int, beta: int) -> bool:
        """Tell whether its bounds place the value: below a window, above it, or at one point."""
        return self.upper <= alpha or self.lower >= beta or self.lower == self.upper


class Wording(Protocol):
    """One game's texts."""

    @property
    def game(self) -> str:
        """The game's name on the wire."""

    @property
    def engine(self) -> str:
        """Digest of the engine that analysers need."""

    @property
    def rules(self) -> SearchRules:
        """The game's tree."""

    def question(self, part: HandOutPart) -> str:
        """Return the question for an analyser."""

    def read_answer(self, text: str) -> Proved:
        """Return the content of an answer, with values that are possible.  Raises WordingError."""

    def entries_texts(self, entries: Iterable[TableEntry]) -> Sequence[str]:
        """Return table entries as texts that each fit in a line."""

    def read_entries(self, text: str) -> tuple[TableEntry, ...]:
        """Return the table entries of a text.  Raises WordingError."""
