"""Automatic doubles that the scores of a money session do not count.

In a session that gnubg played with its display off, the cube at the beginning of a game and the
game's result contain the automatic doubles, and the score of the next game does not.  The scores
are taken as correct, as in gnubg's .mat export of the same session.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from master.games.backgammon.matches.record import Result
from master.games.backgammon.matches.sgf_header import SgfHeader, header_if_any
from master.games.backgammon.matches.sgf_tree import Tree

Factors = tuple[int, ...]
"""For each game of a file the factor by which its first cube is too high for the scores."""


def uncounted_doubles(trees: Sequence[Tree]) -> Factors:
    """Return the factors of the games of a file; all are 1 if the scores count everything."""
    headers = [header_if_any(tree) for tree in trees]
    found = [
        _factor(header, following)
        for header, following in zip(headers, [*headers[1:], None], strict=True)
    ]
    is_uncounted = any(factor is not None and factor > 1 for factor in found)
    return tuple(
        factor if factor is not None else _cube(header) if is_uncounted else 1
        for factor, header in zip(found, headers, strict=True)
    )


def without_uncounted(header: SgfHeader, factor: int) -> SgfHeader:
    """Return the header of a game, corrected to agree with the scores."""
    if factor == 1:
        return header
    game, result = header.game, header.game.result
    if result is not None:
        result = Result(result.winner, result.points // factor)
    return replace(header, game=replace(game, cube=game.cube // factor, result=result))


def uncounted_warnings(name: str, factors: Factors) -> tuple[str, ...]:
    """Return one line about a file that names the games read without their automatic doubles."""
    numbers = [number for number, factor in enumerate(factors, start=1) if factor > 1]
    if not numbers:
        return ()
    games = "game" if len(numbers) == 1 else "games"
    return (
        f"{name}: the scores do not count the automatic doubles of {games} "
        f"{', '.join(map(str, numbers))}; read without them, as the scores say",
    )


def _cube(header: SgfHeader | None) -> int:
    """Return the first cube of a game in a money session."""
    return 1 if header is None or header.match.length else max(header.game.cube, 1)


def _factor(header: SgfHeader | None, following: SgfHeader | None) -> int | None:
    """Return a game's factor; None: there is no score after the game."""
    cube = _cube(header)
    if header is None or cube == 1:
        return 1
    result = header.game.result
    if following is None or result is None:
        return None
    scores = (header.game.score, following.game.score)
    gained = [after - before for before, after in zip(*scores, strict=True)]
    points, others = gained[result.winner], gained[1 - result.winner]
    if others or points < 1 or result.points % points:
        return 1
    factor = result.points // points
    return factor if cube % factor == 0 else 1
