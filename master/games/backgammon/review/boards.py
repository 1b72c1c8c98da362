"""The board of a turn: the sides of the players, their colours, and the arrows.

The player on roll is at the bottom, as in every ID; player 0 has the light checkers throughout the
match.
"""

from __future__ import annotations

from dataclasses import replace

from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.drawing.board_svg import BoardDrawing
from master.games.backgammon.play.board_view import BoardScene, scene_of
from master.games.backgammon.review.turns import Turn


def bottom(turn: Turn) -> int:
    """Return the player at the bottom: the one on roll, for a double the doubler."""
    return turn.state.match.player_on_roll


def scene(turn: Turn, names: tuple[str, str]) -> BoardScene:
    """Return a turn's board with its roll."""
    own = bottom(turn)
    return scene_of(turn.state, turn.dice, (names[own], names[1 - own]))


def drawing(turn: Turn, names: tuple[str, str]) -> BoardDrawing:
    """Return a turn's board with arrows: of the move played, and of a better one."""
    played = better = ""
    if turn.checker is not None:
        played, best = turn.checker.moves[turn.checker.played].text, turn.checker.moves[0].text
        better = best if turn.checker.error > 0.0 and best != played else ""
    return BoardDrawing(
        scene(turn, names),
        played,
        better,
        is_bottom_dark=bottom(turn) == 1,
        is_double_offered=turn.state.match.is_double_offered,
    )


def asked_state(turn: Turn, *, is_rolled: bool = True) -> GameState:
    """Return the state before a turn's decision: with the roll, or before it."""
    dice = turn.dice if is_rolled else None
    if dice is None and not turn.dice:
        return turn.state
    return replace(turn.state, match=replace(turn.state.match, dice=dice))
