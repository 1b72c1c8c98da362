"""Lines of text that fit a width: in narrow tables columns move below others, or are left out.

Pure.  A width of None is a pipe or a file: nothing is wrapped, moved or left out there.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Container, Sequence

Row = Sequence[str]

GAP = 2
"""Columns between those of a table."""

HANGING = 2
"""Columns by which a continuation line is indented."""

LAST_COLUMN_MAX = 24
"""The rightmost start of a last column below which its continuation lines are indented."""

STACKED_INDENT = 5
"""Columns by which texts below their row are indented."""

CELL_WIDTH_MIN = 10
"""A cell that is wrapped keeps so many columns."""

_LAST_GAP = re.compile(r"[^\s.:!?] {2,}(?=\S)(?!.*\S {2,}\S)")
"""Between a line's last two columns, and not between two sentences."""


def wrapped(text: str, width: int | None) -> list[str]:
    """Return a text's lines, those that are too wide broken between words.

    Continuation lines are indented below the line's own words, or below its last column.  A word
    that is wider than `width` stays whole, so that a path or an ID can be copied.
    """
    lines = text.split("\n")
    if width is None:
        return lines
    return [part for line in lines for part in _wrapped_line(line, width)]


def _wrapped_line(line: str, width: int) -> list[str]:
    if len(line) <= width:
        return [line]
    indent = len(line) - len(line.lstrip()) + HANGING
    gap = _LAST_GAP.search(line)
    if gap is not None and gap.end() <= min(LAST_COLUMN_MAX, 2 * width // 3):  # a third is left
        indent = gap.end()
    return _wrap(line, width, indent=" " * indent)


def _wrap(text: str, width: int, first_indent: str = "", indent: str = "") -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first_indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def paragraph(lines: Sequence[str], width: int | None) -> list[str]:
    """Return lines of prose unchanged, or broken to fit `width`."""
    if width is None or max(map(len, lines), default=0) <= width:
        return list(lines)
    return _wrap(" ".join(lines), width)


def fitting(pieces: Sequence[str], width: int) -> list[str]:
    """Return the first pieces of a line, as many as fit; the very first one in any case."""
    room, kept = width, list[str]()
    for piece in pieces:
        room -= len(piece)
        if room < 0 and kept:
            break
        kept.append(piece)
    return kept


def shortened(text: str, width: int) -> str:
    """Return a text, or as much of it as fits and three dots."""
    return text if len(text) <= width else text[: max(0, width - 3)] + "..."[: max(0, width)]


def aligned(rows: Sequence[Row], left: Container[int]) -> list[str]:
    """Return lines of aligned columns, those of these indices to the left."""
    return _lines(rows, [index in left for index in range(len(rows[0]))], _widths(rows))


def table_blocks(
    rows: Sequence[Row],
    left: Container[int],
    width: int | None,
    *,
    drops: Sequence[Collection[str]] = (),
    groups: Sequence[int] = (),
) -> list[list[str]]:
    """Return a table as blocks of lines, each below its headings.

    If it is too wide, columns are left out.  If that is not enough, the columns go below each
    other, in more than one block, each with the first column.

    Args:
        rows: headings first.
        left: indices of the columns that are text; the others are numbers.
        width: of the terminal.
        drops: headings of columns that may be left out together, the least needed first.
        groups: the numbers of columns after the first one that stay beside each other, if
            possible, when columns go below each other; (): no such groups.
    """
    kept = _kept(rows, width, drops)
    columns = [[row[index] for row in rows] for index in kept]
    aligned_left = [index in left for index in kept]
    blocks = []
    for block in _blocks(columns, width, groups):
        rows_of = list(zip(*(columns[place] for place in block), strict=True))
        widths = _squeezed(_widths(rows_of), width)
        blocks.append(_lines(rows_of, [aligned_left[place] for place in block], widths))
    return blocks


def stacked(
    heads: Sequence[Row], below: Sequence[Row], left: Container[int], width: int
) -> list[str]:
    """Return a table with texts below each row.

    Args:
        heads: the columns that stay, headings first.
        below: of each row but the headings, its texts; empty ones are left out.
        left: indices of those columns that are text.
        width: of the terminal.
    """
    lines = aligned(heads, left)
    indent = " " * STACKED_INDENT
    found = lines[:1]
    for line, texts in zip(lines[1:], below, strict=True):
        found.append(line)
        for text in filter(None, texts):
            found += _wrap(text, width, indent, indent)
    return found


def table_width(rows: Sequence[Row]) -> int:
    """Return the width of a table with all columns beside each other."""
    return _sum(_widths(rows))


def _widths(rows: Sequence[Row]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _sum(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def _kept(rows: Sequence[Row], width: int | None, drops: Sequence[Collection[str]]) -> list[int]:
    """Return the indices of the columns that stay."""
    widths, kept = _widths(rows), list(range(len(rows[0])))
    for dropped in drops:
        if width is None or _sum([widths[index] for index in kept]) <= width:
            break
        kept = [index for index in kept if rows[0][index] not in dropped]
    return kept


def _blocks(
    columns: Sequence[Sequence[str]], width: int | None, groups: Sequence[int]
) -> list[list[int]]:
    """Return the columns of each block: the first one is in every block."""
    widths, count = [max(map(len, column)) for column in columns], len(columns)
    if width is None or _sum(widths) <= width or count <= 1:
        return [list(range(count))]
    sizes = [*groups, *([1] * (count - 1 - sum(groups)))]
    blocks: list[list[int]] = [[0]]
    place = 1
    for size in sizes:
        group = list(range(place, min(place + size, count)))
        if len(blocks[-1]) > 1 and not _is_room([*blocks[-1], *group], widths, width):
            blocks.append([0])
        for index in group:
            if len(blocks[-1]) > 1 and not _is_room([*blocks[-1], index], widths, width):
                blocks.append([0])
            blocks[-1].append(index)
        place += size
    return blocks


def _is_room(block: Sequence[int], widths: Sequence[int], width: int) -> bool:
    return _sum([widths[index] for index in block]) <= width


def _squeezed(widths: list[int], width: int | None) -> list[int]:
    """Return the widths, the largest reduced if it is too large for the terminal."""
    if width is None or _sum(widths) <= width:
        return widths
    largest = widths.index(max(widths))
    room = width - _sum(widths) + widths[largest]
    return [*widths[:largest], max(CELL_WIDTH_MIN, room), *widths[largest + 1 :]]


def _lines(rows: Sequence[Row], is_left: Sequence[bool], widths: Sequence[int]) -> list[str]:
    """Return aligned lines; a cell wider than its column continues below."""
    lines = []
    for row in rows:
        cells = [_cell(cell, width) for cell, width in zip(row, widths, strict=True)]
        for number in range(max(map(len, cells))):
            parts = [cell[number] if number < len(cell) else "" for cell in cells]
            lines.append(
                (" " * GAP)
                .join(
                    part.ljust(width) if is_text else part.rjust(width)
                    for part, is_text, width in zip(parts, is_left, widths, strict=True)
                )
                .rstrip()
            )
    return lines


def _cell(text: str, width: int) -> list[str]:
    return [text] if len(text) <= width else _wrap(text, width)
