"""The reproducible value as its definition reads: nothing is cut off or remembered.

What counts is asked of the engine (listing.what_counts), what it is worth is not.
"""

from functools import lru_cache

from hypothesis import reject

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.evaluation import static_value
from engine_ext.chess.exact.listing import what_counts
from engine_ext.chess.exact.position import BEFORE, FULL_WIDTH, PASSED, ROOT, GameBefore
from engine_ext.chess.exact.search import MATE_VALUE
from engine_ext.chess.exchange import gains

LEAF_MARGIN = 200
WORTH = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 950, "k": 20_000, "-": 0}


def dead(board: ChessBoard) -> bool:
    """Tell whether nobody can mate: kings, and at most one knight or bishop."""
    men = sorted(board.signs.replace("-", "").lower())
    return men in (["k", "k"], ["b", "k", "k"], ["k", "k", "n"])


def gain(board: ChessBoard, move: str) -> int:
    """What a capture takes, and a pawn becomes."""
    square = ord(move[2]) - ord("a") + 8 * (int(move[3]) - 1)
    start = ord(move[0]) - ord("a") + 8 * (int(move[1]) - 1)
    taken = WORTH[board.signs[square].lower()]
    if board.signs[start].lower() == "p" and move[0] != move[2] and taken == 0:
        taken = WORTH["p"]
    return taken + (WORTH["q"] if move.endswith("q") else 0)


RECAPTURES = 4
GRAIN = 8
PROBE_PLIES = 2

BOARDS_MAX = 50_000
"""Of one value: some seconds. A board drawn at random where everything hangs has no end of
captures, and is drawn again."""


class Patience:
    """Counts the boards that one value takes, and has the example drawn again past the limit."""

    def __init__(self) -> None:
        self._count = 0

    def spend(self) -> None:
        self._count += 1
        if self._count > BOARDS_MAX:
            reject()


def leaf(
    board: ChessBoard, plies: int = 0, square: str = "", patience: Patience | None = None
) -> int:
    """Return V(board, 0); after some plies only captures on a square count."""
    patience = patience or Patience()
    patience.spend()
    follow = {move: move[2:4] if plies + 1 >= RECAPTURES else "" for move in board.moves(True)}
    if board.is_check:
        return max(
            (-leaf(board.play(move), plies + 1, to, patience) for move, to in follow.items()),
            default=-MATE_VALUE,
        )
    stand = best = (static_value(board) + GRAIN // 2) // GRAIN * GRAIN
    for move in board.captures(True):
        if (not square or move[2:4] == square) and gains(board, move, 0):
            cap = stand + LEAF_MARGIN + gain(board, move) // GRAIN * GRAIN
            worth = -leaf(board.play(move), plies + 1, follow[move], patience)
            best = max(best, min(cap, worth))
    return best


class Reference:
    """Values under one game before."""

    def __init__(self, before: GameBefore) -> None:
        self._keys = frozenset(before.keys)
        self._patience = Patience()
        self.value = lru_cache(maxsize=None)(self._value)

    def _is_drawn(self, board: ChessBoard, flags: int) -> bool:
        if flags & (ROOT | PASSED):
            return False
        is_back = bool(flags & BEFORE) and board.key in self._keys
        return board.clock >= 100 or is_back or dead(board)

    def _value(self, board: ChessBoard, flags: int, depth: int) -> int:
        is_mate = board.is_check and not board.move_count
        if self._is_drawn(board, flags):
            return -MATE_VALUE - depth if is_mate else 0
        if depth == 0:
            return leaf(board, patience=self._patience)
        if not board.move_count:
            return -MATE_VALUE - depth if is_mate else 0
        option, counted = what_counts(board, flags, depth)
        values = [] if option is None else [option]
        for move, child_depth, reduced, cap in counted:
            after = board.play(move) if move else board.passed()
            kept = flags & (FULL_WIDTH | (BEFORE if after.clock else 0))
            child_flags = kept if move else PASSED | (flags & BEFORE)
            value = -self.value(after, child_flags, child_depth)
            if reduced is not None:
                value = min(value, -self.value(after, child_flags, reduced))
            values.append(value if cap is None else min(value, cap))
        return max(values)
