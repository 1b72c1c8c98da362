"""Printing: JSON for machines, tables for people.

Knows formats, not games.  Colours appear on a terminal only (rich decides).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

import click
from rich.console import Console

JsonObject = Mapping[str, object]


def echo_json(thing: JsonObject) -> None:
    """Print one object on one line; floats as the shortest decimal that reads back."""
    click.echo(json.dumps(thing, allow_nan=False))


def console(*, is_error: bool = False) -> Console:
    """Return a console for standard output, or error; it wraps nothing when piped."""
    made = Console(stderr=is_error, highlight=False, soft_wrap=True)
    return made


def echo_table(
    title: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 1
) -> None:
    """Print a table whose first `left` columns are text and the others numbers; it never wraps."""
    table = [tuple(headings), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if title:
        click.echo(click.style(title, bold=True))
    for number, row in enumerate(table):
        cells = [
            cell.ljust(width) if index < left else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        if line:
            click.echo(click.style(line, bold=True) if number == 0 else line)


def signed(value: float, digits: int = 4) -> str:
    """Return a number with its sign, as equities are written."""
    return f"{value:+.{digits}f}"
