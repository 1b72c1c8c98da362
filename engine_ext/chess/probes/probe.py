"""Looks at chess positions: a fast search by one thread with a table of its own.

One thread, a new table and a number of nodes make a fast search a function of the question: the
answer has the same bits everywhere.
"""

from __future__ import annotations

from engine_ext.chess.fast.search import MATE_VALUE, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeLine, ProbeQuestion, ProbeValue
from engine_ext.control import RunControl

TABLE_BYTES = 1 << 22
"""A quarter of a million positions: each look has a new one, which has to be cleared."""

MATE_PLIES_MAX = 1_000
"""Values so near to MATE_VALUE are mates; no evaluation comes near."""


def probe(question: ProbeQuestion, control: RunControl) -> ProbeAnswer | None:
    """Search; None if `control` was stopped before the nodes were visited."""
    before, board = question.boards[:-1], question.boards[-1]
    search = FastSearch(
        board, before, FastTable(TABLE_BYTES), control, (), question.line_count, question.nodes,
        is_chess960=True,
    )  # fmt: skip
    while not (question.depth and search.depth >= question.depth) and search.deepen():
        pass
    if control.is_stopped:
        return None
    lines = tuple(ProbeLine(_value(value), moves) for value, moves in search.lines)
    return ProbeAnswer(search.nodes, search.depth, lines)


def _value(value: int) -> ProbeValue:
    plies = MATE_VALUE - abs(value)
    if plies > MATE_PLIES_MAX:
        return ProbeValue(value)
    return ProbeValue((plies + 1) // 2 if value > 0 else -(plies // 2), is_mate=True)
