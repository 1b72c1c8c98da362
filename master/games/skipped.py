"""Games of a file that cannot be read: each is reported and skipped; the others are read."""

from __future__ import annotations

from dataclasses import dataclass

from master.reports.report import Report

KEPT_MAX = 1_000
"""Of one file: a report lists so many, and counts all; some 200 kB."""


@dataclass(frozen=True, slots=True)
class SkippedGame:
    """A game that is left out.

    Args:
        number: of the game in its file, from 1.
        reason: the expected text, or the unsupported feature; one line.
        line: of the file, from 1, at which the game begins; None: the format has no lines.
    """

    number: int
    reason: str
    line: int | None = None

    def text(self, name: str) -> str:
        """Return one line about the game; `name` is the file's."""
        return f"{game_place(name, self.number, self.line)}: {self.reason}; skipped"

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
