"""Draws a chess board as lines of text.

Styles are marks around spans; the caller turns them into colours or drops them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine_ext.chess.board import ChessBoard, square_name
from engine_ext.chess.fen import is_chess960, write_fen
from master.games.spans import DrawnPosition, Line, Screen, Span
from master.reports.report import Report

FIGURINES = "♔♕♖♗♘♙♚♛♜♝♞♟"

_FIGURINE_OF = str.maketrans("KQRBNPkqrbnp", FIGURINES)

NAME_COLUMNS = 40
"""Of a player's name beside the board."""

BOARD_COLUMNS = 33
"""The width of a board, with the gap between it and the names."""

NAME_COLUMNS_MIN = 5
"""On the narrowest possible terminal: longer names are cut."""


@dataclass(frozen=True, slots=True)
class ChessScene:
    """The content of a drawing.

    Args:
        board: the position.
        names: of white and of black.
        last: the squares of the last move, in UCI's notation; empty: there is none.
        is_flipped: whether black is at the bottom, and drawn as the player's side.
        has_figurines: whether men are figurines; else they are letters, white's in capitals.
    """

    board: ChessBoard
    names: tuple[str, str] = ("White", "Black")
    last: str = ""
    is_flipped: bool = False
    has_figurines: bool = False


def draw_scene(scene: ChessScene, screen: Screen) -> list[Line]:
    """Return a scene for a screen: as wide as that is, figurines where it has them."""
    shown = replace(scene, has_figurines=screen.can_say(FIGURINES))
    return chess_lines(shown) if screen.width is None else chess_lines(shown, screen.width)


def draw_board(board: ChessBoard, screen: Screen) -> list[Line]:
    """Return a position; the side to move is at the bottom."""
    return draw_scene(ChessScene(board, is_flipped=board.is_black), screen)


def draw_position(board: ChessBoard, screen: Screen) -> DrawnPosition:
    """Return a position below its FEN."""
    return DrawnPosition(write_fen(board, is_chess960(board)), draw_board(board, screen))


def position_report(board: ChessBoard) -> Report:
    """Return a position's FEN and its moves."""
    is_shuffled = is_chess960(board)
    return {"fen": write_fen(board, is_shuffled), "moves": board.moves(is_shuffled)}


def chess_lines(scene: ChessScene, width: int = BOARD_COLUMNS + NAME_COLUMNS) -> list[Line]:
    """Return the board, ten lines, the players beside it: names are cut if there is no room."""
    order = -1 if scene.is_flipped else 1
    files = Span("     " + "  ".join("abcdefgh"[::order]), "dim")
    lines: list[Line] = [(files,)]
    for rank in range(7, -1, -1)[::order]:
        cells = (span for file in range(8)[::order] for span in _cell(scene, 8 * rank + file))
        lines.append((Span(f" {rank + 1}  ", "dim"), *cells, Span(f" {rank + 1}", "dim")))
    lines.append((files,))
    for row, is_black in ((1, not scene.is_flipped), (8, scene.is_flipped)):
        lines[row] = (*lines[row], Span("   "), _player(scene, width, is_black=is_black))
    return lines


def _cell(scene: ChessScene, square: int) -> tuple[Span, ...]:
    """Return one square, three columns: those of the last move are in brackets."""
    sign, name = scene.board.signs[square], square_name(square)
    if sign == "-":
        shown = Span(".", "dim")
    else:
        text = sign.translate(_FIGURINE_OF) if scene.has_figurines else sign
        shown = Span(text, _style(scene, is_black=sign.islower()))
    is_last = name in (scene.last[:2], scene.last[2:4])
    return (Span("("), shown, Span(")")) if is_last else (Span(" "), shown, Span(" "))


def _player(scene: ChessScene, width: int, *, is_black: bool) -> Span:
    columns = max(NAME_COLUMNS_MIN, min(NAME_COLUMNS, width - BOARD_COLUMNS))
    return Span(scene.names[is_black][:columns], _style(scene, is_black=is_black))


def _style(scene: ChessScene, *, is_black: bool) -> str:
    return "mine" if is_black == scene.is_flipped else "theirs"
