"""Writes .mat texts, as gnubg's `export match mat` does, with the header tags of eXtreme Gammon.

The columns are gnubg's: every reader of the format accepts them.

The format has no place for comments on moves, for games from a set position, or for automatic
doubles.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine_ext.backgammon.move_text import is_blot
from master.games.backgammon.matches.mat_lines import header_lines, line_name
from master.games.backgammon.matches.record import (
    Beaver,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import Moment, walk
from master.games.errors import RecordError

LEFT_CHARACTERS = 27
"""Width of gnubg's left column; a move of four checkers that all hit does not fit, and moves the
right column on."""

SCORE_CHARACTERS = 31
_RESULT_INDENTS = (6, 34)


def write_mat(match: Match) -> str:
    """Write a match or a money session.

    `read_mat` reads the same match back, except for the comments of games, characters of names and
    tags that are impossible on a line, and resignations that equal a simpler end: of an undoubled
    game with the Jacoby rule (all count once), of a game being doubled (a drop).

    Raises:
        RecordError: a game starts from a set position, or breaks the rules.
    """
    lines = [*header_lines(match), "", f" {match.length} point match"]
    for index in range(len(match.games)):
        lines += ["", *_game_lines(match, index)]
    return "\n".join(lines) + "\n"


def _game_lines(match: Match, index: int) -> Iterator[str]:
    game = match.games[index]
    if game.start is not None:
        raise RecordError(
            f"game {index + 1} starts from a set position: a .mat file has no place for it"
        )
    if game.cube > 1:
        raise RecordError(
            f"game {index + 1} begins with the cube at {game.cube} by automatic doubles: "
            "a .mat file has no place for it"
        )
    names = [line_name(name) for name in match.players]
    left = f"{names[0]} : {game.score[0]}"
    yield f" Game {index + 1}"
    yield f" {left:<{SCORE_CHARACTERS}} {names[1]} : {game.score[1]}".rstrip()
    entries = [
        (moment.action.player, _entry(moment))
        for moment in walk(match, index)
        if not isinstance(moment.action, Resign)
    ]
    result = "" if game.result is None else _wins(game.result)
    is_beside = game.actions[-1:] == (Drop(0),)  # gnubg misreads it on a line of its own
    if is_beside:
        entries.append((1, f" {result}"))
    for number, (first, second) in enumerate(_rows(entries), start=1):
        yield f"{number:3}) {first:<{LEFT_CHARACTERS}} {second}".rstrip()
    if game.result is not None and not is_beside:
        yield " " * _RESULT_INDENTS[game.result.winner] + result


def _rows(entries: list[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Pair the entries: each player in their column, in as many rows as needed."""
    left: str | None = None
    for player, text in entries:
        if player == 0:
            if left is not None:
                yield left, ""
            left = text
        else:
            yield left or "", text
            left = None
    if left is not None:
        yield left, ""


def _entry(moment: Moment) -> str:
    action = moment.action
    if isinstance(action, Play):
        return _play(moment, action)
    cube = moment.state.game.match.cube_value
    texts = {
        Double: f" Doubles => {2 * cube}",
        Take: " Takes",
        Beaver: f" Beavers => {4 * cube}",
        Drop: " Drops",
    }
    return texts[type(action)]


def _play(moment: Moment, play: Play) -> str:
    position = moment.state.game.position
    hit: set[int] = set()
    texts = []
    for source, target in play.steps:
        is_hit = is_blot(position, target) and target not in hit
        if is_hit:
            hit.add(target)
        texts.append(f"{source}/{target}{'*' * is_hit}")
    roll = f"{play.dice[0]}{play.dice[1]}:"
    return " ".join([roll, *texts])


def _wins(result: Result) -> str:
    return f"Wins {result.points} point{'s' if result.points != 1 else ''}"
