"""The FFO endgame suite, a standard test of Othello solvers.

The suite is the public one of the French Othello Federation's engine tests; each line of
data/ffo.tsv names its source.  FFO60 to FFO65 are missing: they were not available.  The scores are
the published ones, except for FFO31: its G1 is worth -32, according to two searches here and to a
separate program written for this check.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engine_ext.othello.board import OthelloBoard


@dataclass(frozen=True, slots=True)
class SuitePosition:
    """A position with its exact score and that of each legal move, for the side to move."""

    name: str
    board: OthelloBoard
    score: int
    moves: Mapping[str, int]


@cache
def ffo_suite() -> Mapping[str, SuitePosition]:
    """Return all positions by their names, such as FFO41, in the suite's order."""
    text = (files("engine_ext.othello") / "data" / "ffo.tsv").read_text(encoding="ascii")
    return {row.name: row for row in map(_row, text.splitlines()[1:])}


def is_suite_name(text: str) -> bool:
    """Return whether a text means a position of the suite, whether there is one or not."""
    return text.strip().upper().startswith("FFO")


def suite_position(name: str) -> SuitePosition:
    """Return the position of a name such as FFO41, ffo41 or ffo1.

    Raises:
        ValueError: there is none; the text says which there are.
    """
    match = re.fullmatch(r"\s*FFO[ -]?0*(\d{1,2})\s*", name, re.ASCII | re.IGNORECASE)
    found = ffo_suite().get(f"FFO{int(match[1]):02}") if match else None
    if found is None:
        raise ValueError(
            f"there is no {name.strip().upper()[:20]}: expected FFO01 to FFO59 or FFO66 to FFO79"
        )
    return found


def _row(line: str) -> SuitePosition:
    name, squares, side, _, score, _, moves, _ = line.split("\t")
    scored = (move.lower().split(":") for move in moves.split())
    board = OthelloBoard.from_text(squares + side)
    return SuitePosition(name, board, int(score), {move: int(each) for move, each in scored})
