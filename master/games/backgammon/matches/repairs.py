"""Repairs of match files: broken rules, missing resignations, games that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from master.games.backgammon.matches.flow import MULTIPLE_MAX, ReplayState, apply
from master.games.backgammon.matches.record import (
    AnalysedMatch,
    Double,
    Game,
    Match,
    Resign,
    Result,
)
from master.games.backgammon.matches.replay import check_game, dash, may_be_crawford, score_after
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


CrawfordFlags: TypeAlias = list[bool | None]
"""Of each game of a match: whether its record calls it the Crawford game; None: unknown."""

WITHOUT_RULE = "; read without the Crawford rule"
"""The end of the warnings about such a match."""


def read_forgiving(
    read: Callable[[CrawfordFlags | None], AnalysedMatch], name: str
) -> AnalysedMatch:
    """Read a match by its rules; one that breaks the Crawford rule without it, with warnings.

    Args:
        read: reads the match by its rules, or, with a list, without the Crawford rule; that list
            is filled, for each game, with whether the record calls it the Crawford game.
        name: of the file, for the warnings.

    Raises:
        RecordError: it cannot be read either way; the error has another cause than that rule.
    """
    flags: CrawfordFlags = []
    try:
        plain = read(None)
    except RecordError as error:
        found = read(flags)
        warnings = breach_warnings(name, found.match, flags)
        if not warnings:
            raise error from None
        return replace(found, warnings=(*warnings, *found.warnings))
    if not plain.skipped:
        return plain
    found = read(flags)
    warnings = breach_warnings(name, found.match, flags)
    if not warnings or len(found.skipped) >= len(plain.skipped):
        return plain
    return replace(found, warnings=(*warnings, *found.warnings))


def breach_warnings(
    name: str, match: Match, flags: Sequence[bool | None] | None = None
) -> tuple[str, ...]:
    """Return the breaches of the Crawford rule in a file's match; see `crawford_breaches`."""
    return tuple(f"{name}: {each}{WITHOUT_RULE}" for each in crawford_breaches(match, flags))


def crawford_breaches(match: Match, flags: Sequence[bool | None] | None = None) -> list[str]:
    """Return a line for each game of a match that breaks the Crawford rule.

    Args:
        match: recorded without the rule.
        flags: the games that the record calls the Crawford game; None, also for one game: the
            score decides.
    """
    ruled = replace(match, uses_crawford=True)
    breaches = []
    for index, game in enumerate(match.games):
        options = may_be_crawford(ruled, index)
        flag = None if flags is None else flags[index]
        is_crawford = options[0] if flag is None else flag
        if is_crawford not in options:
            words = "the Crawford game" if options[0] else "no Crawford game"
            breaches.append(f"game {index + 1}: at {dash(game.score)} this is {words}")
        elif is_crawford and any(isinstance(action, Double) for action in game.actions):
            breaches.append(f"game {index + 1}: a double in the Crawford game")
    return breaches
