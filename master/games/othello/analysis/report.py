"""An analysed game of Othello as an object that stays stable, and as tables for people."""

from __future__ import annotations

from master.games.othello.analysis.judging import BOTH, AnalysedGame, JudgedMove, SideFigures
from master.games.othello.board_view import OthelloScene, othello_lines
from master.games.othello.game import result_of
from master.games.othello.record import OthelloRecord, opening_name
from master.games.othello.search_report import value_text
from master.games.spans import unstyled
from master.reports.report import Report
from master.reports.tables import aligned
from master.reports.texts import printable

SIDES = {"black": "X", "white": "O"}


def event(record: OthelloRecord) -> str:
    """Return the tournament; empty if it is unknown."""
    return dict(record.tags).get("EV", "")


def final_score(record: OthelloRecord) -> tuple[int, int] | None:
    """Return black's and white's discs, empty squares to the winner; None: it is not over."""
    board = record.game.board
    if not board.is_over:
        return None
    margin, squares = result_of(board).margin, board.size**2
    return (squares + margin) // 2, (squares - margin) // 2


def game_report(game: AnalysedGame) -> Report:
    """Return the documented object of a game."""
    record, score = game.record, final_score(game.record)
    return {
        **({"file": game.file} if game.file else {}),
        "number": game.number,
        "black": record.black or None,
        "white": record.white or None,
        "event": event(record) or None,
        "start": record.game.start.to_text(),
        "opening": opening_name(record.game),
        "score": None if score is None else list(score),
        "players": {name: _side(game.figures(side)) for name, side in SIDES.items()},
        "moves": [_move(move) for move in game.moves],
    }


def _side(found: SideFigures) -> Report:
    return {
        "moves": found.moves,
        "choices": found.choices,
        "best": found.best,
        "accuracy": None if found.accuracy is None else round(found.accuracy, 1),
        "discs_lost": round(found.discs_lost, 2),
    }


def _move(move: JudgedMove) -> Report:
    found = move.judgement
    return {
        "move": move.square,
        "side": move.side,
        "value": None if found is None else found.value,
        "best": move.square if found is None else found.best,
        "best_value": None if found is None else found.best_value,
        "lost": round(move.lost, 2),
        "exact": found is not None and found.is_exact,
    }


NAME_COLUMNS = 24


def heading(game: AnalysedGame) -> str:
    """Return players, result and place of a game: `Game 1: Ann - Bob, 40-24, Paris, Rose`."""
    black, white = _names(game)
    score = final_score(game.record)
    ending = "not over" if score is None else f"{score[0]}-{score[1]}"
    more = (printable(event(game.record)), opening_name(game.record.game))
    place = f"{printable(game.file)}, game" if game.file else "Game"
    return ", ".join([f"{place} {game.number}: {black} - {white}", ending, *filter(None, more)])


def figure_lines(game: AnalysedGame) -> list[str]:
    """Return how well the sides played that were asked about."""
    found = [game.figures(side) for side in game.sides]
    names = dict(zip(BOTH, _names(game), strict=True))
    rows = [
        ("", *(names[side] for side in game.sides)),
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


def text_lines(game: AnalysedGame, analysis: str) -> list[str]:
    """Return a game with its figures, and each judged move below the board before it.

    Args:
        game: the game.
        analysis: how it was analysed, in words.
    """
    lines = [heading(game), f"Analysis: {analysis}", "", *figure_lines(game)]
    for move in game.moves:
        if move.side not in game.sides:
            continue
        number = f"{move.number + 1}. {move.side} {move.square}"
        found = move.judgement
        if found is None:
            lines += ["", f"{number}, the only move"]
            continue
        value, better = (
            value_text(each, is_exact=found.is_exact) for each in (found.value, found.best_value)
        )
        lost = value_text(found.lost, is_exact=found.is_exact).lstrip("+")
        worse = f"  lost {lost}, better {found.best} {better}" if found.lost else ""
        lines += ["", f"{number} {value}{worse}"]
        last = game.moves[move.number - 1].square if move.number else ""
        scene = OthelloScene(game.record.game.boards[move.number], _names(game), last, move.side)
        lines += unstyled(othello_lines(scene))
    return lines


def _names(game: AnalysedGame) -> tuple[str, str]:
    record = game.record
    black, white = printable(record.black) or "black", printable(record.white) or "white"
    return black[:NAME_COLUMNS], white[:NAME_COLUMNS]


def _number(value: float | None, decimals: int, unit: str = "") -> str:
    return "-" if value is None else f"{value:.{decimals}f}{unit}"
