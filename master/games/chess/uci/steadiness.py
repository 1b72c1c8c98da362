"""Measures whether the best move of a search still changes: a search with a stable one ends sooner.

The factors are set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

WAVERING = 1.5
"""Of the time planned, after an iteration with another best move..."""

SETTLED = 0.75
"""... and after SETTLED_AFTER iterations with the same one."""

SETTLED_AFTER = 6

DROP = 30
"""Centipawns: after a fall of the value by so much in one iteration the search is longer..."""

DROPPED = 1.3
"""... by so many times the time."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The result of the last iterations.

    Args:
        move: the best one; empty: none is known.
        value: of that move, in centipawns.
        same: iterations in a row that found it.
        is_changed: whether the last one found another.
        is_dropped: whether the value fell in the last one.
    """

    move: str = ""
    value: int = 0
    same: int = 0
    is_changed: bool = False
    is_dropped: bool = False

    def after(self, value: int, move: str) -> Steadiness:
        """Return the state after one more iteration."""
        if not self.move:
            return Steadiness(move, value, 1)
        is_changed = move != self.move
        same = 1 if is_changed else self.same + 1
        return Steadiness(move, value, same, is_changed, value <= self.value - DROP)

    @property
    def factor(self) -> float:
        """The factor for the planned time."""
        factor = DROPPED if self.is_dropped else 1.0
        if self.same >= SETTLED_AFTER:
            return factor * SETTLED
        return factor * WAVERING if self.is_changed else factor
