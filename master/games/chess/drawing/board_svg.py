"""A chess board as SVG, White at the bottom: men, and arrows for moves.

The same board gives the same bytes; the document refers to nothing outside it, not even fonts.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from engine_ext.chess.board import ChessBoard
from master.games.chess.drawing.men import SQUARE, STYLE, definitions, man_name
from master.games.chess.san import NAMES, by_king
from master.reports.markup import escaped

MARGIN = 20
"""Left of the board and below it: numbers and letters."""

SIDE = 8 * SQUARE
EXTENT = SIDE + MARGIN

_ARROW_HEAD = 13.0
_ARROW_SHORT = 14.0
"""An arrow ends so far before the middle of its square, so that the man stays visible."""


def board_svg(board: ChessBoard) -> str:
    """Return a document of one board."""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {EXTENT} {EXTENT}" '
            f'width="{EXTENT}" height="{EXTENT}" role="img" aria-labelledby="t" '
            'font-family="system-ui, sans-serif">',
            f'<title id="t">{escaped(board_title(board))}</title>',
            f"<style>{STYLE}</style>",
            f"<defs>{definitions(board.signs)}</defs>",
            f'<rect class="c-page" width="{EXTENT}" height="{EXTENT}"/>',
            field(),
            *board_parts(board),
            "</svg>",
            "",
        )
    )


def board_title(board: ChessBoard) -> str:
    """Return a description of a board, in words."""
    sides = []
    for is_white, side in ((True, "White"), (False, "Black")):
        men = [
            f"{NAMES[sign.upper()]} {_name(square)}"
            for kind in "KQRBNP"
            for square, sign in enumerate(board.signs)
            if sign.upper() == kind and sign.isupper() == is_white
        ]
        sides.append(f"{side}: {', '.join(men)}")
    return f"{'; '.join(sides)}; {'Black' if board.is_black else 'White'} to move"


def field() -> str:
    """Return the empty board, which all drawings share."""
    dark = "".join(
        f"M{MARGIN + SQUARE * file} {SQUARE * row}h{SQUARE}v{SQUARE}h-{SQUARE}z"
        for row in range(8)
        for file in range(8)
        if (row + file) % 2
    )
    names = "".join(
        f'<text class="c-ink" x="{MARGIN + SQUARE * each + SQUARE // 2}" y="{SIDE + 15}">'
        f"{'abcdefgh'[each]}</text>"
        f'<text class="c-ink" x="{MARGIN // 2}" y="{SQUARE * each + 27}">{8 - each}</text>'
        for each in range(8)
    )
    ground = f'<rect class="c-light" x="{MARGIN}" width="{SIDE}" height="{SIDE}"/>'
    return f'{ground}<path class="c-dark" d="{dark}"/>{names}'


def board_parts(
    board: ChessBoard, played: str = "", better: str = "", last: str = ""
) -> Iterator[str]:
    """Yield the content of the field.

    Args:
        board: the position.
        played: the move that is made now, in UCI's notation, for an arrow; empty: none.
        better: a better move, likewise.
        last: the move that led to the position; its squares are marked.
    """
    for name in (last[:2], last[2:4]) if last else ():
        x, y = _corner(name)
        yield f'<rect class="c-last" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>'
    for square, sign in enumerate(board.signs):
        if sign != "-":
            x, y = _corner(_name(square))
            yield f'<use href="#{man_name(sign)}" x="{x}" y="{y}"/>'
    for name, move in (("better", better), ("played", played)):
        if move:
            yield _arrow(name, by_king(board, move))


def _name(square: int) -> str:
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def _corner(square: str) -> tuple[int, int]:
    file, rank = "abcdefgh".index(square[0]), int(square[1])
    return MARGIN + SQUARE * file, SQUARE * (8 - rank)


def _arrow(name: str, move: str) -> str:
    """Return an arrow from the middle of a square to near the middle of another."""
    half = SQUARE / 2
    (x, y), (to_x, to_y) = ((a + half, b + half) for a, b in map(_corner, (move[:2], move[2:4])))
    length = hypot(to_x - x, to_y - y)
    along_x, along_y = (to_x - x) / length, (to_y - y) / length
    tip_x, tip_y = to_x - _ARROW_SHORT * along_x, to_y - _ARROW_SHORT * along_y
    back = [
        f"{tip_x - _ARROW_HEAD * (along_x - turn * along_y):.1f} "
        f"{tip_y - _ARROW_HEAD * (along_y + turn * along_x):.1f}"
        for turn in (-0.7, 0.7)
    ]
    tip = f"{tip_x:.1f} {tip_y:.1f}"
    return f'<path class="c-{name}" d="M{x:g} {y:g}L{tip}M{back[0]}L{tip}L{back[1]}"/>'
