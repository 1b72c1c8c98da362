"""An analysed game as an object, as annotated PGN, as a curve and as tables for people.

Prints and writes nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from engine_ext.chess.fen import is_chess960, write_fen
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeValue
from master.games.chess.analysis.judging import (
    JudgedMove,
    Mark,
    PlayerFigures,
    chances,
    figures,
    judged,
)
from master.games.chess.analysis.records import ReadGame
from master.games.chess.board_view import ChessScene, chess_lines
from master.games.chess.record import LINE_COLUMNS, ChessRecord, write_pgn
from master.games.chess.san import NULL_MOVE, line_san, numbered, write_san
from master.games.spans import unstyled
from master.reports.report import Report
from master.reports.svg_plot import Axes, timeline_plot
from master.reports.tables import aligned
from master.reports.texts import counted, printable

_GLYPHS = {Mark.INACCURACY: " $6", Mark.MISTAKE: " $2", Mark.BLUNDER: " $4", Mark.GOOD: ""}
"""Numeric annotation glyphs of the PGN standard."""

_TIED = "\0"
"""A space at which no line may be broken."""

_COMMAND = re.compile(r"(\[%[a-z]+) ", re.ASCII)
"""Such as [%clk 0:03:00], in a comment."""

_EVALUATION = re.compile(rf"\[%eval[{_TIED}\s][^\]]*\]\s*")
"""The value of a move, in a comment of any program."""

_UNSCORED = "{unscored}"
"""Our comment of a move without a value."""

_NO_MOVE = re.compile(r"\{[^}]*\}|\$[0-9]+|[0-9]+\s*\.+|[+#!?]")
"""Parts of a variation that are no moves: comments, glyphs, numbers, marks."""

SIDES = {"w": "White", "b": "Black"}


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game and the values of its moves.

    Args:
        record: the game.
        moves: judged, in order.
        number: of the game in its file, from 1.
        line: of the file, on which it begins.
        warnings: the contradictions in its record.
        file: the name of the file; empty: it has none.
    """

    record: ChessRecord
    moves: tuple[JudgedMove, ...]
    number: int = 1
    line: int = 1
    warnings: tuple[str, ...] = ()
    file: str = ""

    def player(self, side: str) -> str:
        """Return the name of the player of "w" or "b", or the colour."""
        return (self.record.white if side == "w" else self.record.black) or SIDES[side]

    def figures(self, side: str) -> PlayerFigures:
        """Return the figures of "w" or "b"."""
        return figures(self.record.game, self.moves, side)

    def name(self, move: JudgedMove) -> str:
        """Return a move with its number: `12... Nf6`."""
        board = self.record.game.boards[move.number]
        return numbered([self.san(move)], board.move_number, is_black=board.is_black)

    def san(self, move: JudgedMove) -> str:
        """Return a move as people write it."""
        return write_san(self.record.game.boards[move.number], move.move)

    def better(self, move: JudgedMove) -> str:
        """Return the best line instead of a move, numbered; empty: the engine gave none."""
        if not move.before.line:
            return ""
        board = self.record.game.boards[move.number]
        line = line_san(board, move.before.line)
        return numbered(line, board.move_number, is_black=board.is_black)


def white_value(move: JudgedMove, *, is_black: bool) -> ProbeValue | None:
    """Return the value after a move from White's view; None: it is unknown."""
    value = move.value
    if value is None:
        return None
    return ProbeValue(-value.number, value.is_mate) if is_black else value


def value_text(value: ProbeValue | None) -> str:
    """Return a value in pawns, or a mate: +0.24, #3, #-2; a dash for an unknown one."""
    if value is None:
        return "-"
    return f"#{value.number}" if value.is_mate else f"{value.number / 100:+z.2f}"


def game_report(game: AnalysedGame) -> Report:
    """Return the documented object of a game."""
    start = game.record.game.start
    return {
        "white": game.record.white or None,
        "black": game.record.black or None,
        "file": game.file or None,
        "number": game.number,
        "line": game.line,
        "result": game.record.result,
        "termination": dict(game.record.tags).get("Termination"),
        "warnings": list(game.warnings),
        "start": write_fen(start, is_chess960(start)),
        "players": {SIDES[side].lower(): figures_report(game.figures(side)) for side in SIDES},
        "moves": [_move(game, move) for move in game.moves],
    }


def figures_report(found: PlayerFigures) -> Report:
    """Return the documented object of figures."""
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


def _value(value: ProbeValue | None) -> Report:
    is_mate = value is not None and value.is_mate
    return {
        "centipawns": None if value is None or is_mate else value.number,
        "mate": value.number if value is not None and is_mate else None,
    }


def own_name() -> str:
    """Return our engine's name: `manyply 0.9`."""
    return f"manyply {version('manyply')}"


def annotated_pgn(game: AnalysedGame, engine: str = "") -> str:
    """Return the game in PGN: each move's value, marks, and better lines as variations.

    Glyphs, comments and variations of the record are kept.  Our value of a move precedes its
    comments and replaces a recorded value.  A variation already in the record is not added again.

    Args:
        game: whose.
        engine: the name of the engine, given as the annotator.
    """
    record = game.record
    bare = write_pgn(record)
    tags = bare[: bare.index("\n\n") + 2]
    if engine:
        annotator = engine.replace("\\", "\\\\").replace('"', '\\"')
        kept = [line for line in tags.splitlines() if not line.startswith("[Annotator ")]
        tags = "\n".join([*(line for line in kept if line), f'[Annotator "{annotator}"]', "", ""])
    judged_by = {move.number: move for move in game.moves}
    words = [*_notes(record, 0)]
    for number in range(len(record.game.moves)):
        words.append(_annotated(game, number, judged_by.get(number)))
    text = " ".join([*words, record.result])
    lines = textwrap.wrap(text, LINE_COLUMNS, break_on_hyphens=False, break_long_words=False)
    return tags + "\n".join([*lines, ""]).replace(_TIED, " ")


def _annotated(game: AnalysedGame, number: int, move: JudgedMove | None) -> str:
    """Return a move with all notes on it, ours first; None: it was not judged."""
    record, board = game.record, game.record.game.boards[number]
    san = write_san(board, record.game.moves[number])
    words = [numbered([san], board.move_number, is_black=board.is_black)]
    notes = _notes(record, number + 1)
    glyphs = [each for each in notes if each.startswith("$")]
    mark = _GLYPHS[move.mark].split() if move else []
    words += [*mark, *(each for each in glyphs if each not in mark)]
    rest = [each for each in notes if not each.startswith("$")]
    value = white_value(move, is_black=board.is_black) if move else None
    if move:
        rest = [each for each in rest if each != _UNSCORED]
    if move and value is None:
        words.append(_UNSCORED)
    elif move and not move.after.is_mated:
        words.append(f"{{[%eval{_TIED}{value_text(value).removeprefix('+')}]}}")
        rest = [each for each in map(_without_value, rest) if each]
    words += rest
    if move and move.mark is not Mark.GOOD:
        ours = f"({game.better(move)})"
        if _moves_of(ours) not in [_moves_of(each) for each in rest if each.startswith("(")]:
            words.append(ours)
    return " ".join(words)


def _without_value(note: str) -> str:
    """Return a note without its value of the move; empty: it contains nothing else."""
    if not note.startswith("{"):
        return note
    bare, count = _EVALUATION.subn("", note)
    if not count:
        return note
    kept = bare.strip("{} ")
    return f"{{{kept}}}" if kept else ""


def _moves_of(variation: str) -> list[str]:
    return _NO_MOVE.sub(" ", variation.replace(_TIED, " ").strip("()")).split()


def _notes(record: ChessRecord, place: int) -> list[str]:
    """Return the notes before the first move, or behind that of a number from 1."""
    notes = record.notes[place] if record.notes else ()
    return [_COMMAND.sub(rf"\1{_TIED}", each) for each in notes]


def chances_trend(game: AnalysedGame) -> list[tuple[JudgedMove, float]]:
    """Return White's winning chances, in per cent, after each move with known ones."""
    found = [
        (move, white_value(move, is_black=game.record.game.boards[move.number].is_black))
        for move in game.moves
    ]
    return [(move, chances(value)) for move, value in found if value is not None]


def chances_svg(game: AnalysedGame) -> str:
    """Draw White's winning chances over the game's moves."""
    steps = [(float(move.number), value) for move, value in chances_trend(game)]
    title = f"{game.player('w')} - {game.player('b')}"
    axes = Axes(title[:70], "half-moves", "White's winning chances, per cent")
    return timeline_plot(axes, steps, float(max(len(steps), 1)), 100.0)


def analysed(
    games: Sequence[ReadGame], counts: Sequence[int], answers: Sequence[str]
) -> tuple[AnalysedGame, ...]:
    """Return games judged by the answers to all their questions.

    Args:
        games: as they were read.
        counts: how many questions there are about each.
        answers: in the order of the questions.

    Raises:
        ProbeAnswerError: one of them is none.
    """
    found = iter([ProbeAnswer.from_text(text) for text in answers])
    return tuple(
        analysed_game(each, judged(each.record.game, [next(found) for _ in range(count)]))
        for each, count in zip(games, counts, strict=True)
    )


def analysed_game(game: ReadGame, moves: Sequence[JudgedMove] = ()) -> AnalysedGame:
    """Return a game that was read with its judged moves."""
    return AnalysedGame(game.record, tuple(moves), game.number, game.line, game.warnings, game.file)


def marked(games: Sequence[AnalysedGame]) -> int:
    """Return the number of moves marked as bad."""
    return sum(move.mark is not Mark.GOOD for game in games for move in game.moves)


BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
"""Of a curve in the terminal, the lowest first."""

CURVE_WIDTH_MAX = 76

_NAMES = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}

WIDTH_PLAIN = 100
"""Of lines where there is no terminal."""


def figure_lines(game: AnalysedGame) -> list[str]:
    """Return how well both sides played."""
    names = [printable(game.player(side))[:24] for side in SIDES]
    found = [game.figures(side) for side in SIDES]
    rows = [
        ("", *names),
        ("accuracy", *(_percent(each.accuracy) for each in found)),
        ("centipawns lost a move", *(_number(each.centipawns_lost) for each in found)),
        *((name, *(str(each.marks[mark]) for each in found)) for mark, name in _NAMES.items()),
    ]
    if any(each.unscored for each in found):
        rows.append(("unscored", *(str(each.unscored) for each in found)))
    return aligned(rows, left=(0,))


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def curve_line(game: AnalysedGame) -> str:
    """Return White's winning chances after each move, a block for one or several half-moves."""
    values = [value for _, value in chances_trend(game)]
    each = max(-(-len(values) // CURVE_WIDTH_MAX), 1)
    means = [sum(values[i : i + each]) / len(values[i : i + each])
             for i in range(0, len(values), each)]  # fmt: skip
    return "".join(BLOCKS[min(int(mean / 100 * len(BLOCKS)), len(BLOCKS) - 1)] for mean in means)


_NAME = {Mark.INACCURACY: "inaccuracy", Mark.MISTAKE: "mistake", Mark.BLUNDER: "blunder"}


def total_lines(found: PlayerFigures) -> list[str]:
    """Return the figures of a player over several games."""
    marks = [counted(found.marks[mark], name, _NAMES[mark]) for mark, name in _NAME.items()]
    said = f"{counted(found.moves, 'move')}, accuracy {_percent(found.accuracy)}"
    return [f"{said}, {_number(found.centipawns_lost)} centipawns lost a move", ", ".join(marks)]


def error_lines(game: AnalysedGame, count: int, width: int | None, sides: str = "wb") -> list[str]:
    """Return the moves that lost most, in the order of the game, and the better moves.

    Args:
        game: whose.
        count: the most moves.
        width: of the terminal; None: there is none.
        sides: whose moves, of "wb".
    """
    bad = [
        move
        for move in game.moves
        if move.mark is not Mark.GOOD and game.record.game.side_of(move.number) in sides
    ]
    worst = sorted(bad, key=lambda move: (-move.lost, move.number))[:count]
    room = WIDTH_PLAIN if width is None else width
    rows = [
        (f"{game.name(move)}{move.mark.value}", f"-{move.lost:.0f} %",
         f"{value_text(move.before.value)} to {value_text(move.value)}", game.better(move))
        for move in sorted(worst, key=lambda move: move.number)
    ]  # fmt: skip
    if not rows:
        return []
    head, *lines = aligned([("move", "chances", "value", "better"), *rows], left=(0, 2, 3))
    at = head.rindex("better")
    fitting = [line[:at] + _whole_moves(line[at:], room - at) for line in lines]
    return [line[:room].rstrip() for line in (head, *fitting)]


def _whole_moves(line: str, room: int) -> str:
    """Return as many moves of a numbered line as there is room for, no number without its move."""
    if len(line) <= room:
        return line
    words = line[: max(room, 0) + 1].split(" ")[:-1]
    while words and words[-1].endswith("."):
        words.pop()
    return " ".join(words)


def text_lines(game: AnalysedGame, heading: str, analysis: str) -> list[str]:
    """Return a game with its figures, and each judged move above the board before it.

    Args:
        game: the game.
        heading: its first line.
        analysis: how it was analysed, in words.
    """
    lines = [heading, *_tag_lines(game), f"Analysis: {analysis}"]
    lines += ["", *figure_lines(game)] if game.moves else ["", "no moves"]
    return [*lines, *(line for move in game.moves for line in ("", *_move_lines(game, move)))]


_TAGS = ("Event", "Site", "Date", "Round")


def _tag_lines(game: AnalysedGame) -> list[str]:
    tags = dict(game.record.tags)
    known = [(name, tags.get(name, "")) for name in _TAGS]
    return [f"{name}: {printable(text)}" for name, text in known if text.strip("?. ")]


def _move_lines(game: AnalysedGame, move: JudgedMove) -> list[str]:
    """Return a move, the board before it, and the better line where the move lost anything."""
    board, moves = game.record.game.boards[move.number], game.record.game.moves
    last = moves[move.number - 1] if move.number else NULL_MOVE
    names = printable(game.player("w")), printable(game.player("b"))
    scene = ChessScene(board, names, "" if last == NULL_MOVE else last)
    worth = value_text(move.value) if move.is_scored else "unscored"
    lost = f", lost {move.lost:.1f} %" if move.is_scored and move.lost else ""
    mark = f", {_NAME[move.mark]}" if move.mark in _NAME else ""
    lines = [f"{game.name(move)}{move.mark.value}  {worth}{lost}{mark}"]
    lines += unstyled(chess_lines(scene))
    lines.append(f"FEN: {write_fen(board, is_chess960(board))}")
    if lost and not move.is_best:
        better = f"Better: {value_text(move.before.value)}  {game.better(move)}"
        tied = better.replace(". ", f".{_TIED}")
        wrapped = textwrap.wrap(tied, LINE_COLUMNS, break_on_hyphens=False)
        lines += [line.replace(_TIED, " ") for line in wrapped]
    return lines
