"""A match that begins at a chosen position, with its cube and score."""

from __future__ import annotations

from dataclasses import replace

from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.matches.flow import start_of
from master.games.backgammon.matches.record import Game, Match
from master.games.errors import RecordError

CUBE_LOG2_MAX = 10
"""The cube limit of a match state that comes from no XGID: a record cannot store another limit."""


def match_from(state: GameState, players: tuple[str, str]) -> Match:
    """Return a match whose first game begins there; rules and score are the state's.

    Player 0 of the record is at the bottom, like player 1 of an ID.

    Args:
        state: a position, about to be rolled, rolled, or with a double on offer.
        players: the names, the one at the bottom first.

    Raises:
        RecordError: no game can continue from there.
    """
    given = state.match
    if state.position.result:
        raise RecordError("the game is over in this position")
    own = 1 - given.player_on_roll
    start = replace(state, match=replace(given, player_on_roll=own, cube_log2_max=CUBE_LOG2_MAX))
    game = Game(
        score=given.score if own == 0 else (given.score[1], given.score[0]),
        is_crawford=given.crawford,
        start=start,
    )
    match = Match(players, given.match_length, (game,), jacoby=given.jacoby, beavers=given.beavers)
    start_of(match, game)  # raises if no game can begin so
    return match
