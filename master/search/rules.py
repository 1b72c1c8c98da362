"""The interface of a game's rules, by which the master splits its tree.

Positions and moves are the game's own: positions are opaque bytes, moves are the places of children
in their canonical order.
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
        """Return estimates of positions' values, seen by their sides to move; None: unknown.

        They order searches only, and take the master's time: positions for which analysers have
        sent estimates are left out.
        """

    def hint_key(self, position: bytes) -> bytes:
        """Return the same key for positions that differ in depth only: their values are hints."""

    def entry_key(self, child: Child) -> bytes:
        """Name a position and its depth as the keys of analysers' table entries do."""

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        """Return the bounds of a table entry, lower <= value <= upper, seen by the side to move."""
