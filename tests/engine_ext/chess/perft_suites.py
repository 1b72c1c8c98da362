"""Positions with published counts of games: chess, and Chess960."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class SuiteRow:
    """A position, and how many games of some numbers of plies there are from it."""

    fen: str
    games: dict[int, int]


def rows(name: str) -> Iterator[SuiteRow]:
    """Yield the rows of a suite: `perft` (chess) or `perft960`."""
    for line in (_FOLDER / f"{name}.epd").read_text().splitlines():
        fen, *counts = line.split(";")
        words = (count.split() for count in counts if count.strip())
        yield SuiteRow(fen, {int(depth[1:]): int(games) for depth, games in words})


CHESS = list(rows("perft"))
CHESS960 = list(rows("perft960"))
