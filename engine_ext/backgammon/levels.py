"""The name of an evaluation's level: its look-ahead, or `exact` if look-ahead changes nothing."""

from __future__ import annotations

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.evaluate import position_class

EXACT = "exact"
"""The level of finished games and of bear-offs of at most six checkers a side: their values, the
cube's included, are solved for money and for every match score, the same at any ply."""

_EXACT_CLASSES = ("over", "bearoff-two-sided")


def level_of(position: Position, ply: int) -> str:
    """Return the level of a position's evaluation as text for users: `exact`, or e.g. `2-ply`."""
    return EXACT if position_class(position) in _EXACT_CLASSES else f"{ply}-ply"
