"""A picture at the terminal that is drawn over itself, rather than below itself again and again.

All other output stays: the picture is drawn anew below it. Typed text and a remark about it are
drawn over with the picture. Where nothing can be drawn over, in pipes and dumb terminals,
everything is printed line by line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from rich.cells import cell_len, set_cell_size

from master.cli.output import (
    disturb,
    disturbances,
    echo,
    echo_drawing,
    send,
    styled,
    styled_or_plain,
)
from master.cli.terminal import (
    HIDE_CURSOR,
    SHOW_CURSOR,
    WIDTH_DEFAULT,
    can_redraw,
    is_terminal,
    terminal_height,
    terminal_width,
)
from master.games.spans import Line, Span
from master.reports.tables import wrapped

_ERASE_LINE, _ERASE_BELOW = "\x1b[K", "\x1b[J"
_NOWHERE = -1


class Picture:
    """One picture of a program, and the cursor's distance below it."""

    def __init__(self) -> None:
        """Draw nothing yet."""
        self._rows = 0
        self._rows_below = 0
        self._columns = 0
        self._seen = _NOWHERE

    def draw(self, lines: Sequence[Line], *, is_cut: bool = False) -> None:
        """Draw the picture over the last one.

        Args:
            lines: of the picture.
            is_cut: leave out the lines for which a small terminal has no room.
        """
        if not can_redraw():
            echo_drawing(lines)
            return
        shown = _cut(lines) if is_cut else lines
        begin = _up(self._rows + self._rows_below) if self._is_on_screen() else "\n"
        text = "".join(f"{styled(line)}{_ERASE_LINE}\n" for line in shown)
        self._rows, self._rows_below = len(shown), 0
        self._columns = max((_columns(line) for line in shown), default=0)
        self._seen = disturbances()
        send(begin + styled_or_plain(text) + _ERASE_BELOW)

    def remark(self, text: str) -> None:
        """Print a remark about the typed text, over both that and the last remark."""
        if not self._is_on_screen():
            echo(text)
            return
        width = terminal_width() or WIDTH_DEFAULT
        send(_up(self._rows_below) + _ERASE_BELOW)
        echo(text)
        lines = wrapped(text, width)
        self._rows_below = sum(max(1, -(-cell_len(line) // width)) for line in lines)
        self._seen = disturbances()

    def asking(self, ask: Callable[[str], str]) -> Callable[[str], str]:
        """Return a function like `ask` that counts the typed rows, so that they are drawn over."""

        def asked(prompt: str) -> str:
            line = ask(prompt)
            if is_terminal(sys.stdin):
                width = terminal_width() or WIDTH_DEFAULT
                self._rows_below += cell_len(prompt + line) // width + 1
            return line

        return asked

    def show_cursor(self, *, is_shown: bool) -> None:
        """Show or hide the cursor, where there is one."""
        if can_redraw():
            send(SHOW_CURSOR if is_shown else HIDE_CURSOR)

    def leave(self) -> None:
        """Have the next picture drawn below: the place of this one is not known any more."""
        disturb()

    def _is_on_screen(self) -> bool:
        """Whether the terminal shows the picture, and below it only rows that may be drawn over."""
        is_whole = self._columns <= (terminal_width() or WIDTH_DEFAULT)
        return can_redraw() and is_whole and self._seen == disturbances()


def _up(rows: int) -> str:
    """Return the sequence that moves to the beginning of the line so many rows above."""
    return f"\r\x1b[{rows}A" if rows else "\r"


def _cut(lines: Sequence[Line]) -> list[Line]:
    """Return as much of lines as the terminal has room for above the cursor's line."""
    width = terminal_width() or WIDTH_DEFAULT
    found = []
    for line in lines[: terminal_height() - 1]:
        kept, room = [], width
        for span in line:
            text = set_cell_size(span.text, min(cell_len(span.text), room))
            kept.append(Span(text, span.style))
            room -= cell_len(text)
        found.append(tuple(kept))
    return found


def _columns(line: Line) -> int:
    return sum(cell_len(span.text) for span in line)
