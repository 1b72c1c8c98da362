"""The engine's decisions in play, and the losses that the tutor warns of."""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.context import CUBE_VALUE_MAX
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.play import CubeDecision, RankedMove
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.flow import ReplayState
from master.games.backgammon.matches.record import Action, Beaver, Double, Drop, Take

TUTOR_LOSS_MIN = 0.06
"""Equity from which the tutor warns: gnubg's "bad" and worse; smaller losses get no warning."""


def has_cube_decision(state: ReplayState) -> bool:
    """Whether the player on roll may double and could gain by it: a dead cube decides nothing.

    The rules and the record allow a double with a dead cube all the same.
    """
    match = state.game.match
    return state.may_double and match.cube_value < CUBE_VALUE_MAX and cube_of(match).may_double


def is_double_right(decision: CubeDecision) -> bool:
    """Whether the player on roll doubles: not worse than rolling, with any answer."""
    return decision.may_double and _doubled(decision) >= decision.no_double


def right_answer(decision: CubeDecision, player: int) -> Action:
    """Return a player's best answer to a double; the decision is seen by the doubler."""
    if _doubled(decision) == decision.double_pass < decision.double_take:
        return Drop(player)
    return Take(player) if decision.double_beaver is None else Beaver(player)


def cube_loss(decision: CubeDecision, action: Action) -> float:
    """Return the loss of an action against the best one: 0.0 or more, for its player.

    The loss of a play is that of not doubling before it.
    """
    doubled = _doubled(decision)
    if isinstance(action, Take):
        return decision.double_take - doubled
    if isinstance(action, Beaver):
        return 2 * decision.double_take - doubled
    if isinstance(action, Drop):
        return decision.double_pass - doubled
    if not decision.may_double:
        return 0.0
    best = max(decision.no_double, doubled)
    return best - (doubled if isinstance(action, Double) else decision.no_double)


def _doubled(decision: CubeDecision) -> float:
    """Return the doubler's equity after a double with the best answer."""
    beaver = decision.double_beaver
    accepted = decision.double_take if beaver is None else beaver
    return min(accepted, decision.double_pass)


def move_loss(ranked: Sequence[RankedMove], after: Position) -> float:
    """Return the loss of a move against the best one.

    Args:
        ranked: all legal moves, best first.
        after: the position after it, its opponent on roll.
    """
    played = next(move for move in ranked if move.position_after == after)
    return max(0.0, ranked[0].equity_cubeful - played.equity_cubeful)


def is_resignation_accepted(probs: Probs, multiple: int) -> bool:
    """Whether to accept `multiple` games from a player whose chances are `probs`.

    Yes, if playing on would not win more than that, gammons included.
    """
    expected = (
        (1.0 - probs.win) + probs.lose_gammon + probs.lose_backgammon
        - probs.win - probs.win_gammon - probs.win_backgammon
    )  # fmt: skip
    return multiple >= expected


def inverted(probs: Probs) -> Probs:
    """Convert one player's chances to the other's."""
    return Probs(
        1.0 - probs.win,
        probs.lose_gammon,
        probs.lose_backgammon,
        probs.win_gammon,
        probs.win_backgammon,
    )
