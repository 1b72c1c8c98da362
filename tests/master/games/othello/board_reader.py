"""Reads a drawn board of Othello back from its paths."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.othello.board import square_name
from master.games.othello.board_svg import CELL, MARGIN

_PATH = re.compile(r'<path class="(o-[a-z]+)" d="((?:M\d+ \d+h0)+)"/>')
_RING = re.compile(r'<circle class="o-(played|better)" cx="(\d+)" cy="(\d+)"')


@dataclass(frozen=True)
class SeenBoard:
    """What is drawn: squares of black and white, dots of legal moves, and marks."""

    black: frozenset[str]
    white: frozenset[str]
    moves: frozenset[str]
    last: frozenset[str]
    rings: dict[str, str]


def read_board(svg: str, size: int = 8) -> SeenBoard:
    """Return what a drawing shows."""

    def square(x: str, y: str) -> str:
        file, rank = (divmod(int(each) - MARGIN, CELL) for each in (x, y))
        assert file[1] == rank[1] == CELL // 2, "dots are in the middle of squares"
        return square_name(rank[0] * size + file[0], size)

    found = {
        name: frozenset(square(*dot) for dot in re.findall(r"M(\d+) (\d+)h0", dots))
        for name, dots in _PATH.findall(svg)
    }
    assert found.get("o-w") == found.get("o-r"), "each white disc has its rim"
    rings = {name: square(x, y) for name, x, y in _RING.findall(svg)}
    black, white, moves, last = (
        found.get(name, frozenset()) for name in ("o-b", "o-w", "o-m", "o-last")
    )
    return SeenBoard(black, white, moves, last, rings)


def squares_of(bits: int, size: int) -> frozenset[str]:
    """Return the names of the squares of a set."""
    return frozenset(square_name(each, size) for each in range(size * size) if bits >> each & 1)
