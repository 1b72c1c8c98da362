"""Draws an Othello board as lines of text.

Styles are marks around spans; the caller turns them into colours or drops them.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.othello.board import OthelloBoard
from master.games.othello.record import OthelloRecord, opening_name, position_of
from master.games.spans import DrawnPosition, Line, Screen, Span
from master.reports.report import Report

BLACK, WHITE = "X", "O"
_EMPTY, _LEGAL = ".", "+"

NAME_COLUMNS = 40
"""Of a player's name; with the largest board they make 80 columns."""

SIDE_BY_SIDE_COLUMNS = 80
"""Of a terminal that has room for whole names beside the board; 40 are enough for the rest."""


@dataclass(frozen=True, slots=True)
class OthelloScene:
    """The content of a drawing.

    Args:
        board: whose legal moves are marked.
        names: of black and of white.
        last: the square of the last move; empty: there is none.
        mine: the side that is drawn as the player's.
    """

    board: OthelloBoard
    names: tuple[str, str]
    last: str = ""
    mine: str = BLACK


def othello_lines(scene: OthelloScene, width: int = SIDE_BY_SIDE_COLUMNS) -> list[Line]:
    """Return the board, two lines more than it has ranks; players are to the right of it.

    Their names are cut to fit the columns.
    """
    size = scene.board.size
    signs = scene.board.to_text()
    legal = set(scene.board.moves())
    files = Span("     " + "  ".join("abcdefgh"[:size]), "dim")
    lines: list[Line] = [(files,)]
    for rank in range(1, size + 1):
        cells = [
            _cell(scene, signs[(rank - 1) * size + file], name, is_legal=name in legal)
            for file in range(size)
            for name in [f"{'abcdefgh'[file]}{rank}"]
        ]
        label = Span(f" {rank}  ", "dim")
        lines.append((label, *(span for cell in cells for span in cell), Span(f" {rank}", "dim")))
    lines.append((files,))
    name_columns = max(1, min(NAME_COLUMNS, width - SIDE_BY_SIDE_COLUMNS + NAME_COLUMNS))
    for row, side in _sides(scene, name_columns):
        lines[row] = (*lines[row], Span("   "), *side)
    return lines


def draw_board(board: OthelloBoard, width: int | None) -> list[Line]:
    """Return a board that is no game's; None: no terminal limits its width."""
    scene = OthelloScene(board, ("black", "white"), mine=board.to_move)
    return othello_lines(scene, width or SIDE_BY_SIDE_COLUMNS)


def draw_position(record: OthelloRecord, screen: Screen) -> DrawnPosition:
    """Return the board that a game stands at, below its text and its opening."""
    board, opening = position_of(record), opening_name(record.game)
    heading = board.to_text() + (f", {opening}" if opening else "")
    return DrawnPosition(heading, draw_board(board, screen.width))


def position_report(record: OthelloRecord) -> Report:
    """Return the board that a game stands at, its moves and its opening."""
    board = position_of(record)
    black, white = board.disc_counts()
    return {
        "board": board.to_text(),
        "discs": {"black": black, "white": white},
        "moves": list(board.moves()),
        "opening": opening_name(record.game),
    }


def _cell(scene: OthelloScene, sign: str, name: str, *, is_legal: bool) -> tuple[Span, ...]:
    """Return one square, three columns: the last move is in brackets."""
    if sign in (BLACK, WHITE):
        shown = Span(sign, _style(scene, sign))
    else:
        shown = Span(_LEGAL, "strong") if is_legal else Span(_EMPTY, "dim")
    return (Span("("), shown, Span(")")) if name == scene.last else (Span(" "), shown, Span(" "))


def _style(scene: OthelloScene, side: str) -> str:
    return "mine" if side == scene.mine else "theirs"


def _sides(scene: OthelloScene, name_columns: int) -> list[tuple[int, Line]]:
    """Return rows, and the text right of the board there."""
    sides: list[tuple[int, Line]] = []
    for row, mark, name, discs in zip(
        (1, 3), (BLACK, WHITE), scene.names, scene.board.disc_counts(), strict=True
    ):
        sides.append((row, (Span(f"{mark} {name[:name_columns]}", _style(scene, mark)),)))
        sides.append((row + 1, (Span(f"  {_count(discs, 'disc')}"),)))
    empties = Span(_count(scene.board.empties, "empty square"), "dim")
    return [*sides, (scene.board.size, (empties,))] if scene.board.size > 4 else sides


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")
