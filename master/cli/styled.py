"""Colours of drawings at the terminal."""

from __future__ import annotations

from collections.abc import Iterable

import click

from master.cli.output import echo_exactly
from master.games.spans import Line

_STYLES: dict[str, dict[str, object]] = {
    "mine": {"fg": "cyan", "bold": True},
    "theirs": {"fg": "yellow", "bold": True},
    "dim": {"dim": True},
    "strong": {"bold": True},
    "blue": {"fg": "blue", "bold": True},
    "red": {"fg": "red", "bold": True},
    "highest": {"fg": "yellow", "bold": True},
}


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
