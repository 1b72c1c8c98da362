"""Numbers of a file's games as people choose them: `1-50,700`.

The numbers are kept as spans, because a span may hold millions of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER_MAX = 999_999_999
"""More games than any file has."""

SPANS_MAX = 1_000
"""In one option; a command line has no room for many more."""

_SPAN = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameNumbers:
    """Numbers, from 1.

    Args:
        spans: first and last of each, in order; none touches another.
    """

    spans: tuple[tuple[int, int], ...]

    @classmethod
    def from_text(cls, text: str) -> GameNumbers:
        """Return the numbers of a text; ValueError names the expected form."""
        parts = text.split(",")
        if len(parts) > SPANS_MAX:
            raise ValueError(f"expected at most {SPANS_MAX:,} numbers and spans of games")
        found = sorted(_span(part.strip(), text) for part in parts)
        spans: list[tuple[int, int]] = []
        for first, last in found:
            if spans and first <= spans[-1][1] + 1:
                spans[-1] = spans[-1][0], max(spans[-1][1], last)
            else:
                spans.append((first, last))
        return cls(tuple(spans))

    @property
    def last(self) -> int:
        """The largest of them."""
        return self.spans[-1][1]

    def __contains__(self, number: int) -> bool:
        """Whether a number is among them."""
        return any(first <= number <= last for first, last in self.spans)


def _span(part: str, text: str) -> tuple[int, int]:
    match = _SPAN.fullmatch(part)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        shown = text if len(text) <= 40 else text[:40] + "..."
        raise ValueError(f"expected numbers of games from 1 on, such as 1-50,700, not {shown!r}")
    return first, last
