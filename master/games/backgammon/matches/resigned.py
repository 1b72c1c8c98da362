"""The resignation that a result tells of, for files that say no more of it than the points.

Knows how resignations count.  Must not know file formats.
"""

from __future__ import annotations

from master.games.backgammon.matches.flow import MULTIPLE_MAX, ReplayState, apply
from master.games.backgammon.matches.record import Resign, Result
from master.games.errors import RecordError


def resignation(state: ReplayState, result: Result) -> Resign | None:
    """Return the resignation that ended a game with this result.

    Returns:
        None if it counts what the rules do not: gnubg scores a gammon resigned before any double
        even where the Jacoby rule holds.  The result can stand alone.

    Raises:
        RecordError: the points are no multiple of the cube.
    """
    cube_value = state.game.match.cube_value
    multiple, rest = divmod(result.points, cube_value)
    if rest or not 1 <= multiple <= MULTIPLE_MAX:
        raise RecordError(
            f"expected a resignation of 1 to {MULTIPLE_MAX} times the cube, {cube_value}, "
            f"not of {result.points} points"
        )
    resign = Resign(1 - result.winner, multiple)
    return resign if apply(state, resign).result == result else None
