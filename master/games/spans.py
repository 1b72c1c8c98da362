"""Lines of a drawing: pieces of text with marks of how they look.

The caller turns the marks into colours or drops them.  Must not know terminals.
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
