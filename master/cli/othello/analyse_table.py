"""An analysed game of Othello as tables for people."""

from __future__ import annotations

from master.games.othello.analysis.judging import AnalysedGame
from master.games.othello.analysis.report import SIDES, event, final_score
from master.games.othello.record import opening_name
from master.games.othello.search_report import value_text
from master.reports.tables import aligned
from master.reports.texts import printable

NAME_COLUMNS = 24


def heading(game: AnalysedGame) -> str:
    """Return players, result and place of a game: `Game 1: Ann - Bob, 40-24, Paris, Rose`."""
    black, white = _names(game)
    score = final_score(game.record)
    ending = "not over" if score is None else f"{score[0]}-{score[1]}"
    more = (printable(event(game.record)), opening_name(game.record.game))
    return ", ".join([f"Game {game.number}: {black} - {white}", ending, *filter(None, more)])


def figure_lines(game: AnalysedGame) -> list[str]:
    """Return how well both sides played."""
    found = [game.figures(side) for side in SIDES.values()]
    rows = [
        ("", *_names(game)),
        ("accuracy", *(_number(each.accuracy, 1, " %") for each in found)),
        ("best moves", *(f"{each.best} of {each.choices}" for each in found)),
        ("discs lost", *(_number(each.discs_lost, 2) for each in found)),
        ("discs lost a move", *(_number(each.discs_lost_a_choice, 2) for each in found)),
    ]
    return aligned(rows, left=(0,))


def error_lines(game: AnalysedGame, count: int) -> list[str]:
    """Return the moves that lost most, the worst first, and the better moves."""
    rows = [("move", "lost", "value", "better", "value")]
    for move in game.worst(count):
        found = move.judgement
        assert found is not None, "it lost something beside another move"
        lost, value, best = (
            value_text(each, is_exact=found.is_exact)
            for each in (-found.lost, found.value, found.best_value)
        )
        rows.append(
            (f"{move.number + 1}. {move.side} {move.square}", lost, value, found.best, best)
        )
    return aligned(rows, left=(0, 3)) if len(rows) > 1 else []


def _names(game: AnalysedGame) -> tuple[str, str]:
    record = game.record
    black, white = printable(record.black) or "black", printable(record.white) or "white"
    return black[:NAME_COLUMNS], white[:NAME_COLUMNS]


def _number(value: float | None, decimals: int, unit: str = "") -> str:
    return "-" if value is None else f"{value:.{decimals}f}{unit}"
