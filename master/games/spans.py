"""Lines of a text drawing: pieces of text, each with a mark for its style.

The caller turns the marks into colours or drops them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """A piece of a line; `style` is "", "mine", "theirs", "dim", "strong", "blue",
    "red" or "highest"."""

    text: str
    style: str = ""


Line = tuple[Span, ...]
