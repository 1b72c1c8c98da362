"""A drawing of the current board of an Othello game."""

from __future__ import annotations

from master.games.othello.drawing.board_svg import board_svg
from master.games.othello.record import OthelloRecord, position_of


def record_svg(record: OthelloRecord) -> str:
    """Return the drawing of a game's current board, its last move marked."""
    squares = record.game.squares
    return board_svg(position_of(record), squares[-1] if squares else "")
