"""Placeholders in a match for games that cannot be read, so that the other games are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from master.games.backgammon.matches.record import Game, Match
from master.games.backgammon.matches.replay import check_game, may_be_crawford, score_after
from master.games.errors import RecordError


def stand_in(match: Match, games: Sequence[Game], score: tuple[int, int]) -> Game | None:
    """Return a placeholder for a skipped game: without actions, with a possible score.

    Args:
        match: without its games.
        games: before it.
        score: of the game in the file.

    Returns:
        None if the match was over before it.
    """
    scores = [score, score_after(games[-1]), games[-1].score] if games else [score, (0, 0)]
    for each in scores:
        begun = replace(match, games=(*games, Game(each)))
        game = Game(each, is_crawford=may_be_crawford(begun, len(games))[0])
        try:
            check_game(replace(match, games=(*games, game)), len(games))
        except RecordError:
            continue
        return game
    return None
