"""The text form of looks at moves of Othello: questions and answers.

There are two kinds of line:

* `othello-look/1 engine=DIGEST board=SQUARES side=X depth=N move=f5`: asks for the move's value and
  the best one; SQUARES from a1, b1, ... on, X black, O white, `-` empty.  With no more empty
  squares than the depth the game is solved.
* `value=V best=f5 best_value=B exact=0 nodes=N`: hundredths of a disc for the side to move; if the
  played move is a best one, `best` names it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import DEPTH_MAX
from engine_ext.search.part_text import bad_text

KIND = "othello-look/1"
"""The first word of a look."""

DISC = 100
"""Values are hundredths of it."""

_QUESTION = re.compile(
    rf"{KIND} engine=([0-9a-f]{{16}}) board=([XO-]{{16,64}}) side=([XO]) depth=([0-9]{{1,2}})"
    r" move=([a-h][1-8])"
)
_ANSWER = re.compile(
    r"value=(-?[0-9]{1,5}) best=([a-h][1-8]) best_value=(-?[0-9]{1,5}) exact=([01])"
    r" nodes=([0-9]{1,19})"
)


class ProbeAnswerError(ValueError):
    """A text that is no answer; the text of the error says why in one sentence."""


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """A look's question.

    Args:
        engine: digest of the engine that may answer.
        board: before the move.
        depth: moves to look ahead, 1 to DEPTH_MAX.
        move: a legal one.
    """

    engine: str
    board: OthelloBoard
    depth: int
    move: str

    def to_text(self) -> str:
        """Return the canonical text."""
        squares, side = self.board.to_text().split()
        return (
            f"{KIND} engine={self.engine} board={squares} side={side} depth={self.depth}"
            f" move={self.move}"
        )

    @classmethod
    def from_text(cls, text: str) -> ProbeQuestion:
        """Return the question of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        match = _QUESTION.fullmatch(text)
        if match is None:
            raise bad_text(f"expected '{KIND} engine=DIGEST board=SQUARES side=X depth=N move=f5'")
        engine, squares, side, depth, move = match.groups()
        try:
            board = OthelloBoard.from_text(f"{squares} {side}")
        except ValueError as error:
            raise bad_text(str(error)) from None
        if move not in board.moves():
            raise bad_text(f"{move} is no legal move there")
        if not 1 <= int(depth) <= DEPTH_MAX:
            raise bad_text(f"expected a depth from 1 to {DEPTH_MAX}, not {depth}")
        found = cls(engine, board, int(depth), move)
        if found.to_text() != text:
            raise bad_text("expected numbers in their shortest form")
        return found


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """A look's answer; values are for the side to move.

    Args:
        value: of the move, in hundredths of a disc.
        best: a best move.
        best_value: of that.
        is_exact: whether they are scores of best play, rather than evaluations.
        nodes: boards visited.
    """

    value: int
    best: str
    best_value: int
    is_exact: bool
    nodes: int

    def to_text(self) -> str:
        """Return the canonical text."""
        return (
            f"value={self.value} best={self.best} best_value={self.best_value}"
            f" exact={self.is_exact:d} nodes={self.nodes}"
        )

    @classmethod
    def from_text(cls, text: str) -> ProbeAnswer:
        """Return the answer of a text, without a check of its truth.

        Raises:
            ProbeAnswerError: it is the canonical text of no answer.
        """
        match = _ANSWER.fullmatch(text)
        if match is None:
            raise ProbeAnswerError("expected value=V best=f5 best_value=B exact=0 nodes=N")
        found = cls(int(match[1]), match[2], int(match[3]), match[4] == "1", int(match[5]))
        if found.to_text() != text:
            raise ProbeAnswerError("expected numbers in their shortest form")
        if found.best_value < found.value:
            raise ProbeAnswerError("expected a best move that is no worse than the one made")
        return found
