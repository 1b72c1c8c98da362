"""Draws boards of Threes! as lines of text: numbers in boxes of ASCII.

Styles are marks around spans; the caller turns them into colours or drops them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine_ext.threes.board import ThreesBoard, card_of
from master.games.spans import Line, Span

BOARD_COLUMNS = 25
"""Four boxes, each as wide as the largest card, 12288."""

GAP_COLUMNS = 3
"""Between two boards side by side."""

_EDGE = Span("+-----+-----+-----+-----+", "dim")
_SIDE = Span("|", "dim")
_ENTRY = Span("  +  ", "strong")
_EMPTY = Span("     ")
_LOOKAHEADS = {1: "blue", 2: "red"}


def threes_lines(board: ThreesBoard, entry: Collection[int] = ()) -> list[Line]:
    """Return a board, nine lines; `+` is on the squares where a card may enter."""
    lines: list[Line] = [(_EDGE,)]
    for row in range(4):
        cells = [_cell(board, square, entry) for square in range(4 * row, 4 * row + 4)]
        lines.append((_SIDE, *(span for cell in cells for span in (cell, _SIDE))))
        lines.append((_EDGE,))
    return lines


def _cell(board: ThreesBoard, square: int, entry: Collection[int]) -> Span:
    """Return the content of a square; the largest cards are highlighted."""
    rank = board.ranks[square]
    if not rank:
        return _ENTRY if square in entry else _EMPTY
    return Span(f"{card_of(rank):^5}", style_of(rank, "highest" if rank == board.highest else ""))


def style_of(rank: int, other: str = "strong") -> str:
    """Return the style of a card: 1 and 2, which merge with each other, have their own."""
    return _LOOKAHEADS.get(rank, other)


def titled(title: str, lines: Sequence[Line]) -> list[Line]:
    """Return a board below its title, which is cut to the board's width."""
    return [(Span(title[:BOARD_COLUMNS], "strong"),), *lines]


def side_by_side(drawings: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Return boards of equal height in rows of four, two or one, to fit the columns."""
    room = (width + GAP_COLUMNS) // (BOARD_COLUMNS + GAP_COLUMNS)
    count = next((each for each in (4, 2) if each <= room), 1)
    found: list[Line] = []
    for first in range(0, len(drawings), count):
        if first:
            found.append(())
        found += map(_joined, zip(*drawings[first : first + count], strict=True))
    return found


def _joined(lines: Sequence[Line]) -> Line:
    *others, last = lines
    return (*(span for line in others for span in _filled(line)), *last)


def _filled(line: Line) -> Line:
    """Return a line padded with blanks to the next board."""
    columns = sum(len(span.text) for span in line)
    return (*line, Span(" " * (BOARD_COLUMNS + GAP_COLUMNS - columns)))
