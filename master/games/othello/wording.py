"""Othello's parts in the words of engine_ext.othello.parts.

Converts values between the views of both sides.
"""

from collections.abc import Iterable, Sequence

from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.parts import PartKind, TableName, entries_text, part_text, read_entries
from engine_ext.search.part_text import PartAnswer, PartAnswerError
from engine_ext.services import ContextError
from master.games.othello.tree import OthelloEndgame, OthelloMidgame, to_board
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.running.wording import Proved, WordingError

GAME = "othello"


class OthelloWording:
    """The texts of a search's parts: a `Wording`.

    Args:
        engine: digest of the engine that searches.
        size: of the board.
        evaluation: orders the master's tree.
        kind: the meaning of values.

    Attributes:
        game: the game's name on the wire.
        engine: as given.
        rules: the game's tree.
    """

    def __init__(
        self, engine: str, size: int, evaluation: Evaluation, kind: PartKind = PartKind.SOLVE
    ) -> None:
        self.game = GAME
        self.engine = engine
        is_solved = kind is PartKind.SOLVE
        self.rules = OthelloEndgame(evaluation) if is_solved else OthelloMidgame(evaluation)
        self._table = TableName(engine, kind, size)

    def question(self, part: HandOutPart) -> str:
        """Return the question to an analyser."""
        board = to_board(part.position)
        window = part.alpha, part.beta
        return part_text(self.engine, board, part.depth, window, self._table.kind)

    def read_answer(self, text: str) -> Proved:
        """Read an analyser's answer.  Raises WordingError."""
        try:
            found = PartAnswer.from_text(text)
        except PartAnswerError as error:
            raise WordingError(str(error)) from None
        most = self._table.kind.value_max
        values = [found.lower, found.upper, *(each for move in found.moves for each in move[1:])]
        if any(value is not None and abs(value) > most for value in values):
            raise WordingError(f"expected values from -{most} to {most}")
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
