"""Drawings of Othello boards, in SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine_ext.othello.board import OthelloBoard, square_from_name
from master.games.othello.record import OthelloRecord, position_of
from master.reports.markup import escaped

CELL = 10
MARGIN = 6
"""Left of the board and above it: letters and numbers."""

STYLE = (
    ".o-page{fill:#fff}.o-field{fill:#1d7a4f}.o-grid{fill:none;stroke:#0d4a2e;stroke-width:.4}"
    ".o-dot{fill:#0d4a2e}.o-ink{fill:#22272b;font-size:4px;text-anchor:middle}"
    ".o-b,.o-w,.o-r{fill:none;stroke-linecap:round}"
    ".o-b{stroke:#14181b;stroke-width:8.4}.o-r{stroke:#9aa5ad;stroke-width:8.4}"
    ".o-w{stroke:#fbfaf5;stroke-width:7.6}"
    ".o-m{stroke:#a8d8bd;stroke-width:1.6;stroke-linecap:round;fill:none}"
    ".o-last{stroke:#e0492e;stroke-width:2.2;stroke-linecap:round;fill:none}"
    ".o-played,.o-better{fill:none;stroke-width:1.1}.o-played{stroke:#ff9d4d}"
    ".o-better{stroke:#7cc4f5;stroke-dasharray:2.2 1}"
    "@media screen and (prefers-color-scheme:dark){.o-page{fill:#14181b}.o-ink{fill:#d5dde3}}"
)
"""The style sheet of a document that has boards."""


def board_svg(board: OthelloBoard, last: str = "") -> str:
    """Return a document of one board.

    Args:
        board: whose legal moves are marked.
        last: the square that was played last, which is marked; empty: none was.
    """
    across, down = extent(board)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" '
            f'width="{6 * across}" height="{6 * down}" role="img" aria-labelledby="t" '
            'font-family="system-ui, sans-serif">',
            f'<title id="t">{escaped(board_title(board))}</title>',
            f"<style>{STYLE}</style>",
            f'<rect class="o-page" width="{across}" height="{down}"/>',
            field(board.size),
            *board_parts(board, last=last),
            "</svg>",
            "",
        )
    )


def extent(board: OthelloBoard) -> tuple[int, int]:
    """Return a drawing's width and height."""
    side = board.size * CELL + MARGIN
    return side + 1, side + 1


def board_title(board: OthelloBoard) -> str:
    """Return a description of a board, in words."""
    black, white = board.disc_counts()
    turn = "the game is over" if board.is_over else f"{_SIDES[board.to_move]} to move"
    return f"Othello, black {black}, white {white}, {turn}"


_SIDES = {"X": "black", "O": "white"}


def field(size: int) -> str:
    """Return the empty board, which all drawings of that size share."""
    end = MARGIN + size * CELL
    lines = "".join(
        f"M{MARGIN} {MARGIN + CELL * each}H{end}M{MARGIN + CELL * each} {MARGIN}V{end}"
        for each in range(size + 1)
    )
    dots = "".join(
        f'<circle class="o-dot" cx="{MARGIN + CELL * x}" cy="{MARGIN + CELL * y}" r=".9"/>'
        for x in (2, size - 2)
        for y in (2, size - 2)
    )
    names = "".join(
        f'<text class="o-ink" x="{MARGIN + CELL * each + CELL // 2}" y="4.4">'
        f"{'abcdefgh'[each]}</text>"
        f'<text class="o-ink" x="3" y="{MARGIN + CELL * each + 6.4:g}">{each + 1}</text>'
        for each in range(size)
    )
    ground = f'<rect class="o-field" x="{MARGIN}" y="{MARGIN}" width="{end - MARGIN}"'
    return f'{ground} height="{end - MARGIN}"/><path class="o-grid" d="{lines}"/>{dots}{names}'


def board_parts(
    board: OthelloBoard, played: str = "", better: str = "", last: str = ""
) -> Iterator[str]:
    """Yield the content of the field.

    Args:
        board: whose legal moves are marked.
        played: the square of the move made now; empty: none.
        better: that of a better move, likewise.
        last: that of the move before, likewise.
    """
    size = board.size
    for names, squares in (("o-b", board.black), ("o-r o-w", board.white)):
        held = [square for square in range(size * size) if squares >> square & 1]
        for name in names.split() if held else ():
            yield f'<path class="{name}" d="{_dots(held, size)}"/>'
    marked = [square_from_name(move, size) for move in board.moves() if move != played]
    if marked:
        yield f'<path class="o-m" d="{_dots(marked, size)}"/>'
    if last:
        yield f'<path class="o-last" d="{_dots([square_from_name(last, size)], size)}"/>'
    for name, square in (("better", better), ("played", played)):
        if square:
            x, y = _middle(square_from_name(square, size), size)
            yield f'<circle class="o-{name}" cx="{x}" cy="{y}" r="3.6"/>'


def _middle(square: int, size: int) -> tuple[int, int]:
    rank, file = divmod(square, size)
    half = MARGIN + CELL // 2
    return half + CELL * file, half + CELL * rank


def _dots(squares: Iterable[int], size: int) -> str:
    """Return a path of dots, as wide as its line."""
    return "".join("M{} {}h0".format(*_middle(square, size)) for square in squares)


def record_svg(record: OthelloRecord) -> str:
    """Return the drawing of a game's current board, its last move marked."""
    squares = record.game.squares
    return board_svg(position_of(record), squares[-1] if squares else "")
