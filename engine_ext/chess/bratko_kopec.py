"""The Bratko-Kopec test of chess programs, from 1982: 24 positions with their best moves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import read_fen

_ROW = re.compile(r'(.*) bm (.*); id "BK\.([0-9]+)";')


@dataclass(frozen=True, slots=True)
class SuitePosition:
    """A position and the best moves, in SAN, as the test has them."""

    name: str
    board: ChessBoard
    best: tuple[str, ...]


@cache
def bratko_kopec() -> Mapping[str, SuitePosition]:
    """Return all positions by their names, BK1 to BK24, in the test's order."""
    path = files("engine_ext.chess") / "data" / "bratko_kopec.epd"
    rows = map(_row, path.read_text(encoding="ascii").splitlines())
    return {row.name: row for row in rows}


def _row(line: str) -> SuitePosition:
    match = _ROW.fullmatch(line)
    assert match is not None, "the file is ours"
    position, moves, number = match.groups()
    return SuitePosition(f"BK{int(number)}", read_fen(f"{position} 0 1"), tuple(moves.split()))
