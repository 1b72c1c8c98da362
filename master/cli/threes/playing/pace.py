"""The pace of a watched engine: its speed, and the times to draw and to save the game.

Pure: the time is an argument.
"""

from __future__ import annotations

import math
from typing import NamedTuple

DRAWING_S = 0.05
"""Between two boards: as many as an eye follows, and a terminal draws without an effort."""

KEEPING_S = 5.0
"""Time between two saves of the game; a crash loses no more."""


class Due(NamedTuple):
    """The actions due after a move."""

    is_drawing: bool
    is_keeping: bool


class Pace:
    """Of moves from a first one on.

    Attributes:
        moves: made so far.
        elapsed_s: at the last of them.
    """

    def __init__(self, now_s: float) -> None:
        """Begin."""
        self.moves = 0
        self.elapsed_s = 0.0
        self._began_s = now_s
        self._drawn_s = -math.inf
        self._kept_s = now_s

    @property
    def moves_per_s(self) -> float:
        """How many moves a second were made."""
        return self.moves / self.elapsed_s if self.elapsed_s > 0 else 0.0

    def moved(self, now_s: float) -> Due:
        """Record a move; return the actions due: the first board is drawn at once."""
        self.moves += 1
        self.elapsed_s = now_s - self._began_s
        due = Due(now_s - self._drawn_s >= DRAWING_S, now_s - self._kept_s >= KEEPING_S)
        if due.is_drawing:
            self._drawn_s = now_s
        if due.is_keeping:
            self._kept_s = now_s
        return due
