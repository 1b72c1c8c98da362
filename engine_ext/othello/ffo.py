"""The FFO endgame suite: what Othello solvers are compared by.

Knows boards and scores.  Must not know who solves them.  The suite is the public one of the French
Othello Federation's engine tests; each line of data/ffo.tsv names its source.  All rows but FFO60
to FFO65, which are not at hand.  The scores are the published ones, but for FFO31: its G1 is worth
-32, as two searches here and a program written for nothing else say.
"""

from __future__ import annotations

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


def _row(line: str) -> SuitePosition:
    name, squares, side, _, score, _, moves, _ = line.split("\t")
    scored = (move.lower().split(":") for move in moves.split())
    board = OthelloBoard.from_text(squares + side)
    return SuitePosition(name, board, int(score), {move: int(each) for move, each in scored})
