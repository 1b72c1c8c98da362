"""The playing levels of Othello: the engine's questions about a board, with depths and times."""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.othello.answer import BoardQuestion
from engine_ext.othello.board import OthelloBoard

DEPTH_MAX = 60
DEPTH_DEFAULT = 12
"""A second in the middle of a game."""

EXACT_DEFAULT = 20
"""Solved in a second or two; each two squares more take about ten times as long."""

EXACT_BEYOND = 8
"""Extra depth of the exact search near the end, so that a weak engine is weak to the end."""

FIRST_DEPTH = 8
"""Of a search against the clock, before an end is solved: there must be a move at any time."""


def exact_for(depth: int) -> int:
    """Return the default number of empty squares from which an engine of a depth plays exactly."""
    return min(depth + EXACT_BEYOND, EXACT_DEFAULT)


@dataclass(frozen=True, slots=True)
class Level:
    """The depths of searches.

    Args:
        depth: moves to look ahead.
        exact_empties: with so many empty squares or fewer the game is solved.
        seconds: time for a move of the engine.  It then searches as deep as the time allows, and
            may play another move another time; None: to the depth.
    """

    depth: int = DEPTH_DEFAULT
    exact_empties: int = EXACT_DEFAULT
    seconds: float | None = None

    @property
    def name(self) -> str:
        """The name of a player of this level."""
        if self.seconds is not None:
            return f"manyply {self.seconds:g} s"
        return f"manyply depth {self.depth}"

    def question(self, board: OthelloBoard, *, is_every_move_asked: bool = False) -> BoardQuestion:
        """Return the question that judges a board: it does not depend on the time for a move."""
        is_solved = board.empties <= self.exact_empties
        depth = DEPTH_MAX if is_solved else self.depth
        return BoardQuestion(board, depth, is_every_move_asked=is_every_move_asked)

    def stages(self, board: OthelloBoard) -> tuple[BoardQuestion, ...]:
        """Return the questions for a move of the engine, in order; the last answer counts."""
        if self.seconds is None:
            return (self.question(board),)
        if board.empties > self.exact_empties:
            return (BoardQuestion(board, min(DEPTH_MAX, board.empties - 1)),)
        solved = BoardQuestion(board, DEPTH_MAX)
        return (
            (BoardQuestion(board, FIRST_DEPTH), solved)
            if board.empties > FIRST_DEPTH
            else (solved,)
        )
