"""The texts of a review of chess games: about games, moves and errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from master.games.chess.analysis.judging import JudgedMove, Mark, chances
from master.games.chess.analysis.report import SIDES, AnalysedGame, value_text, white_value

GRADES = (Mark.GOOD, Mark.INACCURACY, Mark.MISTAKE, Mark.BLUNDER)
"""Worse grades come later."""

_NAMES = {Mark.INACCURACY: "inaccuracy", Mark.MISTAKE: "mistake", Mark.BLUNDER: "blunder"}

_TAGS = ("Event", "Site", "Date", "Round")


@dataclass(frozen=True)
class Reviewed:
    """The content of a review.

    Args:
        games: analysed.
        nodes: visited for each move.
        engine: name of the engine that analysed.
    """

    games: tuple[AnalysedGame, ...]
    nodes: int
    engine: str


def players(game: AnalysedGame) -> tuple[str, str]:
    """Return the names of White and Black."""
    return game.player("w"), game.player("b")


def player_of(game: AnalysedGame, move: JudgedMove) -> int:
    """Return the player of a move: 0 for White, 1 for Black."""
    return [*SIDES].index(game.record.game.side_of(move.number))


def grade(move: JudgedMove) -> int:
    """Return the grade of a move: 0 is good, 3 the worst."""
    return GRADES.index(move.mark)


def grade_name(move: JudgedMove) -> str:
    """Return the name of the move's grade; empty: it has none."""
    return _NAMES.get(move.mark, "")


def grade_words() -> str:
    """Return the meaning of the names."""
    return "inaccuracy from 5, mistake from 10, blunder from 15"


def game_words(game: AnalysedGame) -> str:
    """Return the result, the place and the date of a game."""
    tags = dict(game.record.tags)
    known = (tags.get(name, "") for name in _TAGS)
    return ", ".join([game.record.result, *(each for each in known if each.strip("?. "))])


def lost_words(move: JudgedMove) -> str:
    """Return the loss of winning chances by a move."""
    return f"-{move.lost:.1f} %"


def chances_after(game: AnalysedGame, move: JudgedMove) -> float | None:
    """Return White's winning chances after a move, in per cent; None: they are unknown."""
    value = white_value(move, is_black=game.record.game.side_of(move.number) == "b")
    return None if value is None else chances(value)


def worst(games: Sequence[AnalysedGame], count: int) -> list[tuple[int, AnalysedGame, JudgedMove]]:
    """Return the bad moves with the largest losses, the worst first, with their games' numbers.

    Args:
        games: with the numbers of their file.
        count: the maximum.
    """
    bad = [(game.number, game, move) for game in games for move in game.moves if grade(move)]
    return sorted(bad, key=lambda each: (-each[2].lost, each[0], each[2].number))[:count]


def value_words(move: JudgedMove) -> str:
    """Return the value of a move to its player, in pawns."""
    return value_text(move.value)
