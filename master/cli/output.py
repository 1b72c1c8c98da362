"""Printing: JSON for machines, tables for people.

Nothing for people is wider than their terminal; a pipe or a file gets all columns, and whole lines.
Styles appear on a terminal only, and colours not with NO_COLOR.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from master.cli.errors import CommandError, ExitCode
from master.cli.terminal import can_say, is_terminal, terminal_width
from master.reports.tables import table_blocks, wrapped
from master.reports.texts import printable
from protocol.guards.file_errors import file_error_text

if TYPE_CHECKING:
    from master.games.skipped import SkippedGame, SkippedGames
    from master.games.spans import Line, Screen

JsonObject = Mapping[str, object]

_disturbances = [0]
"""Of the one terminal that a process has."""

_STYLES: dict[str, dict[str, object]] = {
    "mine": {"fg": "cyan", "bold": True},
    "theirs": {"fg": "yellow", "bold": True},
    "dim": {"dim": True},
    "strong": {"bold": True},
    "blue": {"fg": "blue", "bold": True},
    "red": {"fg": "red", "bold": True},
    "highest": {"fg": "yellow", "bold": True},
}


def echo(text: str, *, is_bold: bool = False) -> None:
    """Print lines for people to standard output; a terminal's are broken between words.

    Raises:
        SystemExit: the reader has closed the pipe; quietly, as other programs end by SIGPIPE.
        CommandError: it cannot be written, as on a full disk.
    """
    for line in wrapped(text, terminal_width()):
        echo_exactly(click.style(line, bold=True) if is_bold else line)


def echo_exactly(text: str) -> None:
    """Print lines as they are, however wide; raises as `echo` does."""
    disturb()
    _print(f"{text}\n", color=_is_styled())


def echo_part(text: str) -> None:
    """Print a part of a line as it is, for lines too long to be held; raises as `echo` does."""
    disturb()
    _print(text, color=False)


def send(text: str) -> None:
    """Print a control sequence to a terminal, at once and as it is; raises as `echo` does.

    It does not count as a disturbance (see `disturb`): the caller tracks the cursor.
    """
    _print(text, color=True)


def _print(text: str, *, color: bool | None) -> None:
    try:
        click.echo(text, file=sys.stdout, nl=False, color=color)
    except BrokenPipeError:
        _drop(sys.stdout)
        raise SystemExit(ExitCode.OUTPUT_CLOSED) from None
    except OSError as error:
        _drop(sys.stdout)
        text = f"cannot write the output: {file_error_text(error)}"
        raise CommandError(text, ExitCode.STORAGE) from None


def echo_lines(lines: Sequence[str]) -> None:
    """Print lines whose first one is their heading."""
    for number, line in enumerate(lines):
        echo(line, is_bold=number == 0)


def echo_notice(text: str) -> None:
    """Print a problem or its remedy to standard error: one line in a log."""
    echo_error(f"manyply: {text}")


def echo_error(text: str) -> None:
    """Print lines for people to standard error; a terminal's are broken between words.

    If the reader has closed the pipe, the command goes on: its exit code matters more.
    """
    disturb()
    try:
        for line in wrapped(text, terminal_width(sys.stderr)):
            click.echo(line, file=sys.stderr)
    except BrokenPipeError:
        _drop(sys.stderr)


def echo_written(path: Path) -> None:
    """Name a finished file to a user at a terminal; the log of a script needs no such line."""
    if is_terminal(sys.stderr):
        echo_error(f"{path} written")


def styled_or_plain(text: str) -> str:
    """Return text for a terminal, without its styles where the user wants none."""
    return click.unstyle(text) if _is_styled() is False else text


def disturb() -> None:
    """Note that other output has been printed below a picture; it is not drawn over then."""
    _disturbances[0] += 1


def disturbances() -> int:
    """Return how often something was printed that must not be drawn over."""
    return _disturbances[0]


def _is_styled() -> bool | None:
    """Return whether the user wants styles; None leaves it to whether this is a terminal."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def _drop(stream: TextIO) -> None:
    """Discard a stream's buffer, so that the interpreter does not fail to write it at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def echo_json(thing: JsonObject) -> None:
    """Print one object on one line; floats as the shortest decimal that reads back."""
    echo_exactly(json.dumps(thing, allow_nan=False))


def echo_table(
    title: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: int = 1,
    drops: Sequence[Collection[str]] = (),
    groups: Sequence[int] = (),
) -> None:
    """Print a table whose first `left` columns are text and the others numbers.

    On a terminal that is too narrow for it columns are left out (`drops`) or go below each other
    (`groups`); see table_blocks.
    """
    if title:
        echo(title, is_bold=True)
    table = [headings, *rows]
    for block in table_blocks(table, range(left), terminal_width(), drops=drops, groups=groups):
        for number, line in enumerate(block):
            if line:
                echo(line, is_bold=number == 0)


def say_skipped(skipped: SkippedGames, game: SkippedGame) -> None:
    """Count a game that is skipped, and name it on standard error."""
    if skipped.add(game):
        echo_notice(printable(game.text(skipped.name)))


def end_skipped(skipped: SkippedGames, read: int) -> None:
    """End the command with exit code 2 if games were skipped.

    Args:
        skipped: those games.
        read: how many were read, and dealt with.

    Raises:
        CommandError: some were; it counts them.
    """
    if skipped.count:
        raise CommandError(printable(skipped.summary(read)))


def screen() -> Screen:
    """Return the place of drawings on standard output."""
    from master.games.spans import Screen  # noqa: PLC0415  # tables need none

    return Screen(terminal_width(), can_say)


def echo_drawing(lines: Iterable[Line]) -> None:
    """Print a drawing below an empty line."""
    echo_exactly("")
    for line in lines:
        echo_exactly(styled(line))


def styled(line: Line) -> str:
    """Return a line of a drawing with its styles."""
    parts = []
    for span in line:
        style = _STYLES.get(span.style)
        parts.append(click.style(span.text, **style) if style else span.text)  # type: ignore[arg-type]
    return "".join(parts)
