"""Effective pip counts (EPC): the rolls that a side of a race takes on average, in pips.

The term is Walter Trice's (Backgammon Boot Camp, 2004): mean rolls to bear off, times 49/6, the
pips of a mean roll; what it exceeds the pip count by is wastage.  The mean is of the exact table
of bear-offs played for speed, whose chances have 16 bits: the count is right to a thousandth of a
pip.  A side with checkers outside its home board is not in the table.
"""

from __future__ import annotations

from typing import NamedTuple

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_state import GameState
from master.reports.report import Report

PIPS_A_ROLL = 49 / 6
"""294 pips of 36 rolls, doubles played twice."""

HOME = slice(1, 7)
OUTSIDE = slice(7, 26)


class EffectivePips(NamedTuple):
    """The effective pip count of one side, and how much of it is wastage."""

    epc: float
    wastage: float


def effective_pips(position: Position) -> tuple[EffectivePips | None, EffectivePips | None]:
    """Return the counts of the player on roll and of the opponent; None: it is not known."""
    if not _is_race(position):
        return None, None
    on_roll, opponent = (
        _of_side(points, pips)
        for points, pips in zip(
            (position.on_roll, position.opponent), position.pip_counts(), strict=True
        )
    )
    return on_roll, opponent


def _is_race(position: Position) -> bool:
    """Whether the sides have passed each other."""
    last, other = (
        max((point for point, count in enumerate(points) if point and count), default=0)
        for points in (position.on_roll, position.opponent)
    )
    return last + other < 25


def _of_side(points: tuple[int, ...], pips: int) -> EffectivePips | None:
    if any(points[OUTSIDE]):
        return None
    # The table takes a quarter of a second to read: only such a position waits for it.
    from engine_ext.backgammon.bearoff import shared_bearoff  # noqa: PLC0415

    chances = shared_bearoff().off_chances(points[HOME])
    epc = PIPS_A_ROLL * sum(rolls * chance for rolls, chance in enumerate(chances))
    return EffectivePips(epc, epc - pips)


def epc_report(state: GameState) -> list[Report | None] | None:
    """Return the counts of both sides, each None if it is not known; None: neither is known."""
    found = effective_pips(state.position)
    if found == (None, None):
        return None
    return [None if side is None else side._asdict() for side in found]


def epc_note(state: GameState, names: tuple[str, str]) -> str:
    """Return the counts as a line for people; empty: neither is known.

    Args:
        state: the position.
        names: of the player on roll and of the opponent.
    """
    texts = [
        f"{name} {side.epc:.2f} (wastage {side.wastage:.2f})"
        for name, side in zip(names, effective_pips(state.position), strict=True)
        if side is not None
    ]
    return f"EPC: {', '.join(texts)}" if texts else ""
