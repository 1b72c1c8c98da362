"""Printing: JSON for machines, tables for people.

Knows formats and standard output, not games.  Styles appear on a terminal only, and colours
not with NO_COLOR.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Container, Iterable, Mapping, Sequence

import click
from rich.console import Console

from master.cli.errors import CommandError, ExitCode

JsonObject = Mapping[str, object]


def echo(text: str, *, is_bold: bool = False) -> None:
    """Print lines to standard output.

    Raises:
        SystemExit: nobody reads it any more; quietly, as other programs end by SIGPIPE.
        CommandError: it cannot be written, as on a full disk.
    """
    try:
        click.echo(click.style(text, bold=True) if is_bold else text, color=_is_styled())
    except BrokenPipeError:
        _drop_output()
        raise SystemExit(ExitCode.OUTPUT_CLOSED) from None
    except OSError as error:
        _drop_output()
        raise CommandError(f"cannot write the output: {error.strerror}", ExitCode.STORAGE) from None


def _is_styled() -> bool | None:
    """Return whether the user wants styles; None leaves it to whether this is a terminal."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def _drop_output() -> None:
    """Send what is left in the buffer nowhere, lest the interpreter complains at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def echo_json(thing: JsonObject) -> None:
    """Print one object on one line; floats as the shortest decimal that reads back."""
    echo(json.dumps(thing, allow_nan=False))


def terminal_width() -> int | None:
    """Return the columns of the terminal that standard output is; None: it is none."""
    stdout = Console(highlight=False)
    return stdout.width if stdout.is_terminal else None


def error_console() -> Console:
    """Return a console for standard error."""
    return Console(stderr=True, highlight=False)


def echo_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1
) -> None:
    """Print a table whose first `left` columns are text and the others numbers; it never wraps."""
    if title:
        echo(title, is_bold=True)
    for number, line in enumerate(aligned([headings, *rows], range(left))):
        if line:
            echo(line, is_bold=number == 0)


def aligned(rows: Sequence[Sequence[str]], left: Container[int]) -> list[str]:
    """Return lines of aligned columns, those of these indices to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index in left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def signed(value: float, digits: int = 4) -> str:
    """Return a number with its sign, as equities are written."""
    return f"{value:+.{digits}f}"


def unsigned(value: float | None) -> str:
    """Return a probability or a standard error in six characters; None is not known yet."""
    return "     -" if value is None else f"{value:.4f}"


def counted(count: int, thing: str) -> str:
    """Return a number and what is counted: `1 part`, `2 parts`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def printable(text: str) -> str:
    """Return a name from a file without what would steer a terminal."""
    return "".join(each if each.isprintable() else "?" for each in text)
