"""Drawings of chess boards and men, in SVG."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from engine_ext.chess.board import ChessBoard
from master.games.chess.san import NAMES, by_king
from master.reports.markup import escaped

SQUARE = 45

_FOOT = "M11 37v-3.5c0-1.5 2-2.5 4-2.5h15c2 0 4 1 4 2.5V37z"

_SHAPES = {
    "P": (
        "M22.5 9a5.8 5.8 0 0 1 3.7 10.3c1.2.5 1.8 1.3 1.8 2.4h-2.2c.4 4 2 7 5.2 9.3H14c3.2-2.3"
        " 4.8-5.3 5.2-9.3H17c0-1.1.6-1.9 1.8-2.4A5.8 5.8 0 0 1 22.5 9z"
    ),
    "R": "M12 9h4.6v3.4h3.6V9h4.6v3.4h3.6V9H33v7.5l-3 2.5v9l2 3H13l2-3v-9l-3-2.5z",
    "N": (
        "M14.5 31c0-6 5.5-7.5 6-12-2.4.3-3.8 3-6.8 3.6-2.3.4-4-2-3-4.4 1.6-3.4 4-4.6 5-8.2.2-1.6"
        " 1-3.4 2.3-4.5l1.8 3.3c8.6.2 13.2 7 13.2 15.2 0 3-.6 5-1.5 7z"
    ),
    "B": (
        "M22.5 5.5a2.6 2.6 0 0 1 1.8 4.5c4.6 3 6.9 6.5 6.9 10.3 0 2.9-1.4 5-3.3 6.6l1.4 4.1H15.7"
        "l1.4-4.1c-1.9-1.6-3.3-3.7-3.3-6.6 0-3.8 2.3-7.3 6.9-10.3a2.6 2.6 0 0 1 1.8-4.5z"
    ),
    "Q": (
        "M8.5 12.5a2.3 2.3 0 1 1 2.6 2.3l5 7.7 1.6-11.6a2.3 2.3 0 1 1 2.4-.3l2.4 11 2.4-11a2.3"
        " 2.3 0 1 1 2.4.3l1.6 11.6 5-7.7a2.3 2.3 0 1 1 2.6-2.3L33 31H12z"
    ),
    "K": (
        "M21.3 5h2.4v2.8h2.8v2.4h-2.8v2.6c1.8.6 2.8 2 3 4 4.2-3.2 10-1.2 10 4 0 4.4-4.4 6.2-5"
        " 10.2H13.3c-.6-4-5-5.8-5-10.2 0-5.2 5.8-7.2 10-4 .2-2 1.2-3.4 3-4v-2.6h-2.8V7.8h2.8z"
    ),
}

_DETAILS = {"N": "M19 12.6h.01", "B": "M22.5 15v8M18.8 18.6h7.4"}
"""Lines in the other colour: a knight's eye, a bishop's cross."""

STYLE = (
    ".c-page{fill:#fff}.c-light{fill:#eee6d6}.c-dark{fill:#a9896a}.c-ink{fill:#22272b;"
    "font-size:13px;text-anchor:middle}"
    ".c-w{fill:#fffdf6;stroke:#22272b;stroke-width:1.4;stroke-linejoin:round}"
    ".c-b{fill:#22272b;stroke:#22272b;stroke-width:1.4;stroke-linejoin:round}"
    ".c-w .c-fine,.c-b .c-fine{fill:none;stroke-width:2;stroke-linecap:round}"
    ".c-w .c-fine{stroke:#22272b}.c-b .c-fine{stroke:#eee6d6}"
    ".c-last{fill:#cdbf3a;fill-opacity:.55}"
    ".c-played,.c-better{fill:none;stroke-width:6;stroke-linecap:round;stroke-opacity:.85}"
    ".c-played{stroke:#e0681e}.c-better{stroke:#2b83c4;stroke-dasharray:10 9}"
    "@media screen and (prefers-color-scheme:dark){.c-page{fill:#14181b}.c-ink{fill:#d5dde3}}"
)
"""The style sheet of a document that has boards."""


def definitions(signs: str = "PRNBQKprnbqk") -> str:
    """Return the shapes of those men, white's in capitals, for a `defs` element."""
    return "".join(_shape(sign) for sign in sorted(set(signs) - {"-"}))


def _shape(sign: str) -> str:
    kind = sign.upper()
    fine = _DETAILS.get(kind, "")
    detail = f'<path class="c-fine" d="{fine}"/>' if fine else ""
    return (
        f'<g id="{man_name(sign)}" class="c-{"w" if sign.isupper() else "b"}">'
        f'<path d="{_SHAPES[kind]}"/><path d="{_FOOT}"/>{detail}</g>'
    )


def man_name(sign: str) -> str:
    """Return the name of the shape of a man, such as `c-wN`."""
    return f"c-{'w' if sign.isupper() else 'b'}{sign.upper()}"


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
