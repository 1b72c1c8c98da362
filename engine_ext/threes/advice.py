"""What each move of a board of Threes! is worth.

Knows a board, a bag and what is shown of the next card.  Must not know who asks.
"""

from __future__ import annotations

from typing import NamedTuple

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net


class MoveValue(NamedTuple):
    """A move and its expected final score."""

    direction: str
    value: float


def advise(
    board: ThreesBoard, bag: tuple[int, int, int], next_ranks: tuple[int, ...], plies: int
) -> list[MoveValue]:
    """Return every legal move with its expected final score, best first.

    Args:
        board: the board.
        bag: how many 1s, 2s and 3s are left, the next card being drawn.
        next_ranks: the next card's rank, or up to three candidates of a bonus.
        plies: moves to look ahead.

    Raises:
        ValueError: a bag or a next card that cannot be.
    """
    values = Adviser(shipped_net()).values(board.cells, bag, next_ranks, plies)
    ranked = [MoveValue(name, value) for name, value in values.items()]
    return sorted(ranked, key=lambda move: -move.value)
