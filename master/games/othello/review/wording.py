"""The texts of a review of Othello games: about players, values and errors."""

from __future__ import annotations

from dataclasses import dataclass

from master.games.othello.analysis.judging import AnalysedGame, JudgedMove
from master.games.othello.analysis.report import SIDES, event, final_score
from master.games.othello.level import Level
from master.games.othello.record import opening_name
from master.games.othello.search_report import value_text

SIDE_SIGNS = tuple(SIDES.values())
"""Black's and white's, in the order of players."""

BOUNDS = (2.0, 4.0, 10.0)
"""Discs given away: from so many on a move is doubtful, bad, very bad.  Scores of best play differ
by two at least: a smaller one comes from estimates alone."""

_NAMES = ("", "doubtful", "bad", "very bad")


@dataclass(frozen=True)
class Reviewed:
    """The content of a review.

    Args:
        games: analysed.
        level: of the analysis.
    """

    games: tuple[AnalysedGame, ...]
    level: Level


def players(game: AnalysedGame) -> tuple[str, str]:
    """Return the names of black and white."""
    return game.record.black or "Black", game.record.white or "White"


def player_of(move: JudgedMove) -> int:
    """Return the player of a move: 0 for black, 1 for white."""
    return SIDE_SIGNS.index(move.side)


def grade(lost: float) -> int:
    """Return how bad it is to give so many discs away: 0 not at all, 3 very."""
    return sum(lost >= bound for bound in BOUNDS)


def grade_name(lost: float) -> str:
    """Return the name of the loss's grade; empty: it has none."""
    return _NAMES[grade(lost)]


def grade_words() -> str:
    """Return the meaning of the names."""
    return ", ".join(
        f"{name} from {bound:g}" for name, bound in zip(_NAMES[1:], BOUNDS, strict=True)
    )


def level_words(level: Level) -> str:
    """Return how games were analysed."""
    examined = f"depth {level.depth}" if level.seconds is None else f"{level.seconds:g} s a move"
    if not level.exact_empties:
        return examined
    return f"{examined}, exact scores from {level.exact_empties} empty squares on"


def game_words(game: AnalysedGame) -> str:
    """Return the result, the tournament and the opening of a game."""
    score = final_score(game.record)
    ending = "not over" if score is None else f"{score[0]}-{score[1]}"
    more = (event(game.record), opening_name(game.record.game))
    return ", ".join(filter(None, (ending, *more)))


def value_words(value: float, move: JudgedMove) -> str:
    """Return a value of a move: to the side that made it."""
    found = move.judgement
    return value_text(value, is_exact=found is not None and found.is_exact)


def value_after(move: JudgedMove) -> float | None:
    """Return black's value after a move, in discs; None: there was no other move."""
    if move.judgement is None:
        return None
    return move.judgement.value if move.side == "X" else -move.judgement.value
