"""What the master has to know of a game to split its tree.

Knows nothing of any game.  Positions and moves are the game's own: positions opaque bytes,
moves the places of children in their canonical order.
"""

from collections.abc import Sequence
from typing import Protocol

from protocol.values import value


@value
class Child:
    """A position after a move, its other side to move.

    Args:
        position: names it wholly: the same bytes are the same position, and mean one value.
        depth: how deep it is to be searched; less than its parent's, or the same after a pass.
    """

    position: bytes
    depth: int


class SearchRules(Protocol):
    """The rules, as pure functions."""

    @property
    def spread(self) -> float:
        """How far values commonly are from their estimates, in their unit."""

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        """Return the positions after each legal move, in canonical order: it breaks ties.

        Empty if the game is over or depth is 0: such a position is searched and never split.
        """

    @property
    def beyond(self) -> int:
        """How far a value commonly is beyond a bound that was enough to settle the position."""

    def estimates(self, children: Sequence[Child]) -> Sequence[int | None]:
        """Return where positions' values may lie, seen by their sides to move; None: who knows.

        They order searches only, and take the master's time: what analysers have told of a position
        is not asked for.
        """

    def hint_key(self, position: bytes) -> bytes:
        """Name a position to whom its value at another depth is a hint."""

    def entry_key(self, child: Child) -> bytes:
        """Name a position and its depth as the keys of analysers' table entries do."""

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        """Return what a table entry proves, lower <= value <= upper, seen by the side to move."""
