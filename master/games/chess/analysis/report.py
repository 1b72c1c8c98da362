"""An analysed game as an object, as annotated PGN and as a curve.

Knows judged moves; prints and writes nothing.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.chess.fen import is_chess960, write_fen
from engine_ext.chess.looks.look_text import LookAnswer, LookValue
from master.games.chess.analysis.judging import (
    JudgedMove,
    Mark,
    PlayerFigures,
    chances,
    figures,
    judged,
)
from master.games.chess.record import LINE_COLUMNS, ChessRecord, write_pgn
from master.games.chess.san import line_san, numbered, write_san
from master.reports.report import Report
from master.reports.svg_plot import Axes, timeline_plot

_GLYPHS = {Mark.INACCURACY: " $6", Mark.MISTAKE: " $2", Mark.BLUNDER: " $4", Mark.GOOD: ""}
"""Numeric annotation glyphs of the PGN standard."""

_TIED = "\0"
"""Stands for a space at which no line ends."""

SIDES = {"w": "White", "b": "Black"}


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game and what its moves were worth.

    Args:
        record: the game.
        moves: judged, in order.
    """

    record: ChessRecord
    moves: tuple[JudgedMove, ...]

    def player(self, side: str) -> str:
        """Return the name of who plays "w" or "b", or the colour."""
        return (self.record.white if side == "w" else self.record.black) or SIDES[side]

    def figures(self, side: str) -> PlayerFigures:
        """Return how well "w" or "b" played."""
        return figures(self.record.game, self.moves, side)

    def name(self, move: JudgedMove) -> str:
        """Return a move with its number: `12... Nf6`."""
        board = self.record.game.boards[move.number]
        return numbered([self.san(move)], board.move_number, is_black=board.is_black)

    def san(self, move: JudgedMove) -> str:
        """Return a move as people write it."""
        return write_san(self.record.game.boards[move.number], move.move)

    def better(self, move: JudgedMove) -> str:
        """Return the best line instead of a move, numbered; empty: the engine told none."""
        if not move.before.line:
            return ""
        board = self.record.game.boards[move.number]
        line = line_san(board, move.before.line)
        return numbered(line, board.move_number, is_black=board.is_black)


def white_value(move: JudgedMove, *, is_black: bool) -> LookValue | None:
    """Return the value after a move as White sees it; None: it is not known."""
    value = move.value
    if value is None:
        return None
    return LookValue(-value.number, value.is_mate) if is_black else value


def value_text(value: LookValue | None) -> str:
    """Return a value in pawns, or a mate: +0.24, #3, #-2; a dash for one that is not known."""
    if value is None:
        return "-"
    return f"#{value.number}" if value.is_mate else f"{value.number / 100:+z.2f}"


def game_report(game: AnalysedGame) -> Report:
    """Return the documented object of a game."""
    start = game.record.game.start
    return {
        "white": game.record.white or None,
        "black": game.record.black or None,
        "result": game.record.game.result,
        "start": write_fen(start, is_chess960(start)),
        "players": {SIDES[side].lower(): _player(game.figures(side)) for side in SIDES},
        "moves": [_move(game, move) for move in game.moves],
    }


def _player(found: PlayerFigures) -> Report:
    return {
        "moves": found.moves,
        "accuracy": None if found.accuracy is None else round(found.accuracy, 1),
        "centipawns_lost": (
            None if found.centipawns_lost is None else round(found.centipawns_lost, 1)
        ),
        "inaccuracies": found.marks[Mark.INACCURACY],
        "mistakes": found.marks[Mark.MISTAKE],
        "blunders": found.marks[Mark.BLUNDER],
        "unscored": found.unscored,
    }


def _move(game: AnalysedGame, move: JudgedMove) -> Report:
    return {
        "move": move.move,
        "san": game.san(move),
        "value": _value(move.value),
        "best": move.before.line[0] if move.before.line else None,
        "best_value": _value(move.before.value),
        "best_line": list(move.before.line),
        "is_scored": move.is_scored,
        "chances_lost": round(move.lost, 1) if move.is_scored else None,
        "centipawns_lost": move.centipawns_lost if move.is_scored else None,
        "accuracy": round(move.accuracy, 1) if move.is_scored else None,
        "mark": move.mark.value,
    }


def _value(value: LookValue | None) -> Report:
    is_mate = value is not None and value.is_mate
    return {
        "centipawns": None if value is None or is_mate else value.number,
        "mate": value.number if value is not None and is_mate else None,
    }


def annotated_pgn(game: AnalysedGame) -> str:
    """Return the game in PGN: each move's value, marks, and better lines as variations."""
    record = game.record
    bare = write_pgn(record)
    tags = bare[: bare.index("\n\n") + 2]
    words = [_annotated(game, move) for move in game.moves]
    text = " ".join([*words, record.game.result])
    lines = textwrap.wrap(text, LINE_COLUMNS, break_on_hyphens=False, break_long_words=False)
    return tags + "\n".join([*lines, ""]).replace(_TIED, " ")


def _annotated(game: AnalysedGame, move: JudgedMove) -> str:
    is_black = game.record.game.boards[move.number].is_black
    value = white_value(move, is_black=is_black)
    told = value_text(value).removeprefix("+")
    if value is None:
        return f"{game.name(move)} {{unscored}}"
    comment = "" if move.after.is_mated else f" {{[%eval{_TIED}{told}]}}"
    said = f"{game.name(move)}{_GLYPHS[move.mark]}{comment}"
    return said if move.mark is Mark.GOOD else f"{said} ({game.better(move)})"


def chances_course(game: AnalysedGame) -> list[tuple[JudgedMove, float]]:
    """Return White's winning chances, in per cent, after each move of which they are known."""
    found = [
        (move, white_value(move, is_black=game.record.game.boards[move.number].is_black))
        for move in game.moves
    ]
    return [(move, chances(value)) for move, value in found if value is not None]


def chances_svg(game: AnalysedGame) -> str:
    """Draw White's winning chances over the game's moves."""
    steps = [(float(move.number), value) for move, value in chances_course(game)]
    title = f"{game.player('w')} - {game.player('b')}"
    axes = Axes(title[:70], "half-moves", "White's winning chances, per cent")
    return timeline_plot(axes, steps, float(max(len(steps), 1)), 100.0)


def analysed(
    records: Sequence[ChessRecord], counts: Sequence[int], answers: Sequence[str]
) -> tuple[AnalysedGame, ...]:
    """Return games judged by the answers to all their questions.

    Args:
        records: the games.
        counts: how many questions there are about each.
        answers: in the order of the questions.

    Raises:
        LookAnswerError: one of them is none.
    """
    found = iter([LookAnswer.from_text(text) for text in answers])
    return tuple(
        AnalysedGame(record, tuple(judged(record.game, [next(found) for _ in range(count)])))
        for record, count in zip(records, counts, strict=True)
    )


def marked(games: Sequence[AnalysedGame]) -> int:
    """Return how many moves are marked as bad."""
    return sum(move.mark is not Mark.GOOD for game in games for move in game.moves)
