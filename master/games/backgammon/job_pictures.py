"""The data for pictures of a rollout: its position, and the outcomes of its games.

The player on roll is at the bottom; wins are that player's.
"""

from __future__ import annotations

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.match_state import GameState, MatchState
from master.contract.views import JobView
from master.games.backgammon.drawing.state_svg import state_svg
from master.games.job_words import Outcome


def state_of(context: RolloutContext) -> GameState:
    """Return the position of a rollout, with score, cube and rules."""
    match = MatchState(
        cube_value=context.cube_value,
        cube_owner=context.cube_owner,
        match_length=context.match_length,
        score=context.score,
        crawford=context.crawford,
        jacoby=context.jacoby,
        beavers=context.beavers,
        dice=context.dice,
    )
    return GameState(position_from_id(context.position_id), match)


def job_board(view: JobView) -> str:
    """Return the drawing of a rollout's position."""
    return state_svg(state_of(RolloutContext.from_text(view.context)))


def job_outcomes(view: JobView) -> tuple[tuple[Outcome, ...], ...]:
    """Return the outcomes of each alternative's games, from the best for it to the worst."""
    return tuple(_outcomes(found.means) for found in view.alternatives)


def _outcomes(means: tuple[float, ...]) -> tuple[Outcome, ...]:
    win, win_g, win_bg, lose_g, lose_bg = means[:5]
    return (
        Outcome("wins a backgammon", win_bg, is_won=True),
        Outcome("wins a gammon", win_g - win_bg, is_won=True),
        Outcome("wins a single game", win - win_g, is_won=True),
        Outcome("loses a single game", 1.0 - win - lose_g, is_won=False),
        Outcome("loses a gammon", lose_g - lose_bg, is_won=False),
        Outcome("loses a backgammon", lose_bg, is_won=False),
    )
