"""Reads a drawn board of chess back: which man stands where, what is marked, where arrows go."""

from __future__ import annotations

import re
from dataclasses import dataclass

from master.games.chess.board_svg import MARGIN, SQUARE

_MAN = re.compile(r'<use href="#c-([wb])([PNBRQK])" x="(\d+)" y="(\d+)"/>')
_LAST = re.compile(r'<rect class="c-last" x="(\d+)" y="(\d+)"')
_ARROW = re.compile(r'<path class="c-(played|better)" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)M')


@dataclass(frozen=True)
class SeenBoard:
    """What is drawn: signs as ChessBoard has them, marked squares, and arrows by their name."""

    signs: str
    last: frozenset[str]
    arrows: dict[str, str]


def square_at(x: float, y: float) -> str:
    """Return the square that a point is in."""
    return f"{'abcdefgh'[int((x - MARGIN) // SQUARE)]}{8 - int(y // SQUARE)}"


def read_board(svg: str) -> SeenBoard:
    """Return what a drawing shows."""
    signs = ["-"] * 64
    for colour, kind, x, y in _MAN.findall(svg):
        square = square_at(int(x), int(y))
        place = 8 * (int(square[1]) - 1) + "abcdefgh".index(square[0])
        assert signs[place] == "-"
        signs[place] = kind if colour == "w" else kind.lower()
    last = frozenset(square_at(int(x), int(y)) for x, y in _LAST.findall(svg))
    arrows = {
        name: square_at(*map(float, ends[:2])) + square_at(*map(float, ends[2:]))
        for name, *ends in _ARROW.findall(svg)
    }
    return SeenBoard("".join(signs), last, arrows)
