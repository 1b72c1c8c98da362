"""The text form of whole searches of Othello boards, on the wire and in the store.

The module loads no engine.  There are two kinds of line:

* `othello/1 engine=DIGEST board=SQUARES side=X depth=N mode=reproducible moves=0 strategy=NAME
  trust=0`: SQUARES from a1, b1, ... on, X black, O white, `-` empty; `moves=1` asks for every
  move's value.  Only the master uses `strategy` (the division of the work) and `trust`.
* An answer is a JSON object in one line.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from engine_ext.contexts import Description
from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import DEPTH_MAX
from engine_ext.othello.search import MODES
from engine_ext.search.part_text import bad_text

KIND = "othello/1"
"""The first word of such a search."""

_TEXT = re.compile(
    rf"{KIND} engine=([0-9a-f]{{16}}) board=([XO-]{{16,64}}) side=([XO]) depth=([0-9]{{1,2}})"
    rf" mode=({'|'.join(MODES)}) moves=([01]) strategy=([a-z][a-z0-9_]{{0,31}}) trust=([01])"
)


@dataclass(frozen=True, slots=True)
class WholeSearch:
    """A search for a master.

    Args:
        engine: digest of the engine whose value it is.
        question: the board and the depth; its algorithm is the master's choice.
        strategy: name of how a fleet shares the work.
        is_trusting: whether results of analysers over a network are used without a check.
    """

    engine: str
    question: BoardQuestion
    strategy: str
    is_trusting: bool = False

    def to_text(self) -> str:
        """Return the canonical text."""
        asked = self.question
        squares, side = asked.board.to_text().split()
        return (
            f"{KIND} engine={self.engine} board={squares} side={side} depth={asked.depth}"
            f" mode={asked.mode} moves={asked.is_every_move_asked:d}"
            f" strategy={self.strategy} trust={self.is_trusting:d}"
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
                f"expected '{KIND} engine=DIGEST board=SQUARES side=X depth=N mode=MODE moves=0 "
                "strategy=NAME trust=0'"
            )
        engine, squares, side, depth, mode, moves, strategy, trust = match.groups()
        try:
            board = OthelloBoard.from_text(f"{squares} {side}")
        except ValueError as error:
            raise bad_text(str(error)) from None
        if not 1 <= int(depth) <= DEPTH_MAX:
            raise bad_text(f"expected a depth from 1 to {DEPTH_MAX}, not {depth}")
        question = BoardQuestion(board, int(depth), mode=mode, is_every_move_asked=moves == "1")
        found = cls(engine, question, strategy, trust == "1")
        if found.to_text() != text:
            raise bad_text("expected numbers in their shortest form")
        return found


def describe(context: str) -> Description:
    """Return how such a search reads; ContextError if it is none."""
    whole = WholeSearch.from_text(context)
    asked = whole.question
    goal = f"{asked.board.empties} empty squares" if asked.is_solved else f"depth {asked.depth}"
    parts = [f"{asked.board.to_move} to move", goal]
    if asked.is_every_move_asked:
        parts.append("every move")
    facts: dict[str, object] = {
        "board": asked.board.to_text(),
        "depth": None if asked.is_solved else asked.depth,
        "all_moves": asked.is_every_move_asked,
        "mode": asked.mode,
        "strategy": whole.strategy,
        "trust": whole.is_trusting,
    }
    return Description(", ".join(parts), facts)


def answer_text(found: BoardAnswer) -> str:
    """Return an answer as one line; nodes, and the lines of its moves, are left out."""
    return json.dumps(
        {
            "value": found.value,
            "exact": found.is_exact,
            "best_move": found.best_move,
            "pv": found.pv,
            "moves": found.moves,
        }
    )


def read_answer(text: str, nodes: int) -> BoardAnswer:
    """Return the answer of a line that `answer_text` wrote, and that took so many nodes."""
    reported = json.loads(text)
    moves = tuple((move, value) for move, value in reported["moves"])
    pv = tuple(reported["pv"])
    return BoardAnswer(
        reported["value"], reported["exact"], reported["best_move"], pv, nodes, moves
    )
