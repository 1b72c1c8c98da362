"""Nim for the parallel search: its tree, and its parts in words."""

from collections.abc import Iterable, Sequence

from engine_ext.search.part_text import PartAnswer, PartAnswerError, QuestionWords
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.rules import Child
from master.search.running.wording import Proved, WordingError
from tests.engine_ext.search import nim
from tests.master.cli.toy_game.engine import ENGINE


class NimRules:
    """The tree: a position is a byte for each heap, its depth the stones that are left."""

    spread = 1.0
    beyond = 0

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        heaps = tuple(position)
        after = [nim.played(heaps, move) for move in nim.moves(heaps)] if depth else []
        return [Child(bytes(heaps), sum(heaps)) for heaps in after]

    def estimates(self, children: Sequence[Child]) -> Sequence[int | None]:
        return [None] * len(children)

    def hint_key(self, position: bytes) -> bytes:
        """Name a position: those of all depths are alike."""
        return position

    def entry_key(self, child: Child) -> bytes:
        return child.position

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        return -nim.VALUE_MAX, nim.VALUE_MAX


class NimWording:
    """The texts of parts; what analysers found is not passed on."""

    game = "nim"
    engine = ENGINE
    rules = NimRules()

    def question(self, part: HandOutPart) -> str:
        heaps = ",".join(map(str, part.position))
        words = QuestionWords(ENGINE, heaps, "solve", part.depth, part.alpha, part.beta)
        return nim.FORM.question_text(words)

    def read_answer(self, text: str) -> Proved:
        try:
            found = PartAnswer.from_text(text)
        except PartAnswerError as error:
            raise WordingError(str(error)) from None
        moves = tuple(MoveBounds(*move) for move in found.moves)
        return Proved(found.lower, found.upper, found.nodes, found.best, moves)

    def entries_texts(self, entries: Iterable[TableEntry]) -> Sequence[str]:
        return ()

    def read_entries(self, text: str) -> tuple[TableEntry, ...]:
        return ()
