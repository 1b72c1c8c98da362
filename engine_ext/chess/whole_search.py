"""The text form of whole searches of chess positions, on the wire and in the store.

There are two kinds of line:

* `chess/1 engine=DIGEST position=WORD depth=N strategy=NAME trust=0`: WORD as of a part's question
  (parts/part_words.py), with the root's flags.  Only the master uses `strategy` (the division of
  the work) and `trust`.
* An answer is a JSON object in one line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from engine_ext.chess.exact.position import BEFORE, ROOT
from engine_ext.chess.fen import is_chess960, write_fen
from engine_ext.chess.parts.answer import DEPTH_MAX, DEPTH_MIN, ExactAnswer, ExactQuestion
from engine_ext.chess.parts.part_words import position_text, read_position
from engine_ext.contexts import Description
from engine_ext.search.part_text import bad_text

KIND = "chess/1"
"""The first word of such a search."""

ROOT_FLAGS = ROOT | BEFORE
"""Of every position that is searched as a whole."""

_TEXT = re.compile(
    rf"{KIND} engine=([0-9a-f]{{16}}) position=([^ ]{{1,5000}}) depth=([0-9]{{1,2}})"
    r" strategy=([a-z][a-z0-9_]{0,31}) trust=([01])"
)


@dataclass(frozen=True, slots=True)
class WholeSearch:
    """A search for a master.

    Args:
        engine: digest of the engine whose value it is.
        question: the position and the depth.
        strategy: name of how a fleet shares the work.
        is_trusting: whether results of analysers over a network are used without a check.
    """

    engine: str
    question: ExactQuestion
    strategy: str
    is_trusting: bool = False

    def to_text(self) -> str:
        """Return the canonical text."""
        asked = self.question
        return (
            f"{KIND} engine={self.engine} position={position_text(asked.position, asked.before)}"
            f" depth={asked.depth} strategy={self.strategy} trust={self.is_trusting:d}"
        )

    @classmethod
    def from_text(cls, text: str) -> WholeSearch:
        """Return the search of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise bad_text(
                f"expected '{KIND} engine=DIGEST position=WORD depth=N strategy=NAME trust=0'"
            )
        engine, word, depth, strategy, trust = match.groups()
        position, before = read_position(word)
        if position.flags != ROOT_FLAGS or position.reduced >= 0:
            raise bad_text("expected the position of a root: FEN;rb;-;BEFORE")
        if not position.board.move_count:
            raise bad_text("expected a position in which somebody can move")
        if not DEPTH_MIN <= int(depth) <= DEPTH_MAX:
            raise bad_text(f"expected a depth from {DEPTH_MIN} to {DEPTH_MAX}, not {depth}")
        question = ExactQuestion(position.board, before, int(depth))
        found = cls(engine, question, strategy, trust == "1")
        if found.to_text() != text:
            raise bad_text("expected numbers in their shortest form")
        return found


def describe(context: str) -> Description:
    """Return how such a search reads; ContextError if it is none."""
    whole = WholeSearch.from_text(context)
    asked = whole.question
    side = "Black" if asked.board.is_black else "White"
    facts: dict[str, object] = {
        "fen": write_fen(asked.board, is_chess960(asked.board)),
        "depth": asked.depth,
        "strategy": whole.strategy,
        "trust": whole.is_trusting,
    }
    return Description(f"{side} to move, depth {asked.depth}", facts)


def answer_text(found: ExactAnswer) -> str:
    """Return an answer as one line; nodes are left out."""
    return json.dumps({"value": found.value, "depth": found.depth, "line": found.line})


def read_answer(text: str, nodes: int) -> ExactAnswer:
    """Return the answer of a line that `answer_text` wrote, and that took so many nodes."""
    reported = json.loads(text)
    return ExactAnswer(reported["value"], reported["depth"], tuple(reported["line"]), nodes)
