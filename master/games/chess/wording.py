"""Chess's parts in the words of engine_ext.chess.parts.

Converts values between the views of both sides.
"""

from collections.abc import Iterable, Sequence

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.parts.part_words import (
    VALUE_MAX,
    PartQuestion,
    TableName,
    entries_text,
    read_entries,
)
from engine_ext.search.part_text import PartAnswer, PartAnswerError
from engine_ext.services import ContextError
from master.games.chess.tree import ChessTree
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.running.wording import Proved, WordingError

GAME = "chess"


class ChessWording:
    """The texts of a search's parts: a `Wording`.

    Args:
        engine: digest of the engine that searches.
        before: the game's positions.

    Attributes:
        game: the game's name on the wire.
        engine: as given.
        rules: the game's tree.
    """

    def __init__(self, engine: str, before: GameBefore) -> None:
        self.game = GAME
        self.engine = engine
        self.rules = ChessTree(before)
        self._before = before
        self._table = TableName(engine)

    def question(self, part: HandOutPart) -> str:
        """Return the question to an analyser."""
        position = Position.from_bytes(part.position)
        return PartQuestion(
            self.engine, position, self._before, part.depth, part.alpha, part.beta
        ).to_text()

    def read_answer(self, text: str) -> Proved:
        """Read an analyser's answer.  Raises WordingError."""
        try:
            found = PartAnswer.from_text(text)
        except PartAnswerError as error:
            raise WordingError(str(error)) from None
        values = [found.lower, found.upper, *(each for move in found.moves for each in move[1:])]
        if any(value is not None and abs(value) > VALUE_MAX for value in values):
            raise WordingError(f"expected values from -{VALUE_MAX} to {VALUE_MAX}")
        moves = tuple(MoveBounds(*move) for move in found.moves)
        return Proved(found.lower, found.upper, found.nodes, found.best, moves)

    def entries_texts(self, entries: Iterable[TableEntry]) -> Sequence[str]:
        """Return table entries as texts that each fit in a line."""
        return entries_text(self._table, entries)

    def read_entries(self, text: str) -> tuple[TableEntry, ...]:
        """Return the table entries of a text; none if they are of other tables.

        Raises:
            WordingError: it is damaged.
        """
        try:
            table, entries = read_entries(text)
        except ContextError as error:
            raise WordingError(str(error)) from None
        return tuple(entries) if table == self._table else ()
