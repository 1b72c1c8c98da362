"""Lines of a text drawing: pieces of text, each with a mark for its style.

The caller turns the marks into colours or drops them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Span:
    """A piece of a line; `style` is "", "mine", "theirs", "dim", "strong", "blue",
    "red" or "highest"."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


def unstyled(lines: Iterable[Line]) -> list[str]:
    """Return a drawing as plain lines, without spaces at their ends."""
    return ["".join(span.text for span in line).rstrip() for line in lines]


class Screen(NamedTuple):
    """The place of a drawing.

    Args:
        width: its columns; None: it is no terminal.
        can_say: whether it has all characters of a text.
    """

    width: int | None
    can_say: Callable[[str], bool]


class DrawnPosition(NamedTuple):
    """A position for people.

    Args:
        heading: the position's text, which can be typed again.
        lines: the drawing.
        note: a line below it; empty: none.
    """

    heading: str
    lines: Sequence[Line]
    note: str = ""
