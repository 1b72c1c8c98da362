"""Games of a file: the numbers of those that people choose, and those that cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from master.reports.report import Report
from master.reports.texts import quoted

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

    def first_beyond(self, count: int) -> int | None:
        """Return the smallest of them that is above a count; None: none is."""
        return next((max(a, count + 1) for a, last in self.spans if last > count), None)

    def __contains__(self, number: int) -> bool:
        """Whether a number is among them."""
        return any(first <= number <= last for first, last in self.spans)


def _span(part: str, text: str) -> tuple[int, int]:
    match = _SPAN.fullmatch(part)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        shown = quoted(text)
        raise ValueError(f"expected numbers of games from 1 on, such as 1-50,700, not {shown}")
    return first, last


KEPT_MAX = 1_000
"""Of one file: a report lists so many, and counts all; some 200 kB."""


@dataclass(frozen=True, slots=True)
class SkippedGame:
    """A game that is left out.

    Args:
        number: of the game in its file, from 1.
        reason: the expected text, or the unsupported feature; one line.
        line: of the file, from 1, at which the game begins; None: the format has no lines.
        fault_line: of the file, at which the game cannot be read; None: that is not known.
    """

    number: int
    reason: str
    line: int | None = None
    fault_line: int | None = None

    def text(self, name: str) -> str:
        """Return one line about the game; `name` is the file's."""
        line = self.line if self.fault_line is None else self.fault_line
        return f"{game_place(name, self.number, line)}: {self.reason}; skipped"

    def report(self) -> Report:
        """Return the documented object."""
        return {"number": self.number, "line": self.line, "reason": self.reason}


def game_place(name: str, number: int, line: int | None = None) -> str:
    """Return the place of a game: `club.pgn, game 3, line 40`."""
    return f"{name}, game {number}" + ("" if line is None else f", line {line}")


class SkippedGames:
    """The games of one file that were left out: all counted, the first of them kept."""

    def __init__(self, name: str) -> None:
        """Start with none.

        Args:
            name: of the file.
        """
        self.name = name
        self.count = 0
        self.kept: list[SkippedGame] = []

    def add(self, game: SkippedGame) -> bool:
        """Count a game; return whether it is among those that are kept, and named."""
        self.count += 1
        if len(self.kept) < KEPT_MAX:
            self.kept.append(game)
            return True
        return False

    def summary(self, read: int) -> str:
        """Return one line for the end, beside the number of games that were read."""
        games = f"{self.count:,} game" + ("" if self.count == 1 else "s")
        more = "" if self.count <= KEPT_MAX else f", the first {KEPT_MAX:,} of them named"
        return f"{self.name}: {games} skipped{more}; {read:,} read"

    def report(self) -> Report:
        """Return the documented part of a command's object: those that are kept, and the count."""
        return {"skipped": [each.report() for each in self.kept], "skipped_count": self.count}
