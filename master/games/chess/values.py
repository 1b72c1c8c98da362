"""The values of chess searches: hundredths of a pawn for the side to move, or a mate."""

from engine_ext.chess.fast.search import MATE_VALUE

MATE_PLIES_MAX = 1_000
"""Values so near to MATE_VALUE are mates; no evaluation comes near."""

_PAWN = 100


def mate_moves(value: int) -> int | None:
    """Return the moves to mate, below zero if the side to move is mated; None: no mate."""
    plies = MATE_VALUE - abs(value)
    if plies > MATE_PLIES_MAX:
        return None
    return (plies + 1) // 2 if value > 0 else -(plies // 2)


def value_text(value: int) -> str:
    """Return a value in pawns with its sign, or a mate in moves."""
    mate = mate_moves(value)
    if mate is None:
        return f"{value / _PAWN:+z.2f}"
    return f"mate in {mate}" if mate > 0 else f"mated in {-mate}"
