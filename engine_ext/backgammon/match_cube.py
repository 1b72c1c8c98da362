"""Converts a match state to the engine's cube."""

from __future__ import annotations

from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.match_table import MatchTable


def cube_of(match: MatchState, table: MatchTable | None = None) -> Cube:
    """Return the cube, score and rules of a match state.

    Args:
        match: the match state.
        table: the match equities; None for the shipped ones.  Money play has none.  Where its
            players differ they are the players 0 and 1 of the match state.

    Raises:
        ValueError: the cube is larger than the engine's largest cube.
    """
    return Cube(
        value=match.cube_value,
        owner=match.cube_owner,
        match_length=match.match_length,
        score=match.score if match.match_length else (0, 0),
        crawford=match.crawford,
        jacoby=match.jacoby,
        beavers=match.beavers,
        table=table,
        player=match.player_on_roll,
    )
