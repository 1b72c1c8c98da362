"""Matches that break the Crawford rule that they claim to use: read without it, with a warning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import Double, Match
from master.games.backgammon.matches.replay import dash, may_be_crawford
from master.games.errors import RecordError

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
