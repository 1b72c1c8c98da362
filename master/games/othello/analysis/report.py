"""An analysed game of Othello as an object that stays stable."""

from __future__ import annotations

from master.games.othello.analysis.judging import AnalysedGame, JudgedMove, SideFigures
from master.games.othello.game import result_of
from master.games.othello.record import OthelloRecord, opening_name
from master.reports.report import Report

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
