"""A drawing of a state.

The player on roll is at the bottom, with the light checkers.
"""

from __future__ import annotations

from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.drawing.board_svg import BoardDrawing, board_svg
from master.games.backgammon.play.board_view import scene_of

NAMES = ("Player on roll", "Opponent")


def state_svg(state: GameState) -> str:
    """Return the drawing of a state."""
    scene = scene_of(state, names=NAMES)
    return board_svg(BoardDrawing(scene, is_double_offered=state.match.is_double_offered))
