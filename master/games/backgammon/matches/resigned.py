"""Derives a resignation from a result, for files that contain only the points."""

from __future__ import annotations

from master.games.backgammon.matches.flow import MULTIPLE_MAX, ReplayState, apply
from master.games.backgammon.matches.record import Game, Match, Resign, Result
from master.games.errors import RecordError


def resignation(state: ReplayState, result: Result) -> Resign | None:
    """Return the resignation that ended a game with this result.

    For a last game some programs record the points needed, not the points won: then the
    resignation is the smallest one that is enough.

    Returns:
        None if the points break the rules: gnubg scores a gammon resigned before any double even
        under the Jacoby rule.  The result is valid without a resignation.

    Raises:
        RecordError: the points are no multiple of the cube.
    """
    cube_value = state.game.match.cube_value
    multiple, rest = divmod(result.points, cube_value)
    is_needed = result.points == _needed(state, result.winner)
    if rest and is_needed and multiple < MULTIPLE_MAX:
        return Resign(1 - result.winner, multiple + 1)
    if rest or not 1 <= multiple <= MULTIPLE_MAX:
        raise RecordError(
            f"expected a resignation of 1 to {MULTIPLE_MAX} times the cube, {cube_value}, "
            f"not of {result.points} points"
        )
    resign = Resign(1 - result.winner, multiple)
    return resign if apply(state, resign).result == result else None


def _needed(state: ReplayState, player: int) -> int:
    """The points that a player needs to win the match; 0 in money play."""
    match = state.game.match
    return match.away[player ^ match.player_on_roll]


def whole_points(match: Match, game: Game, won: Result | None) -> Result | None:
    """Return a game's result: the one recorded, or that of its actions, which won more than needed.

    Args:
        match: its length counts.
        game: with the result recorded.
        won: by its actions; None: they leave it open.
    """
    found = game.result
    if found is None or won is None or found.winner != won.winner or not match.length:
        return found
    needed = match.length - game.score[won.winner]
    return won if found.points == needed < won.points else found
