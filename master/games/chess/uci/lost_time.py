"""What a clock loses outside of the engine, as one `go` after the other shows it.

Knows what the clock showed and how long the answers took.  Must not know clocks, nor what moves may
take because of it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from master.games.chess.uci.session import Wish

SAMPLES_MAX = 16
"""Moves that are looked back: what a busy machine does changes within a game."""

UNKNOWN_SHARE = 0.25
"""Of the overhead that is set, to begin with: it is set for the worst moves."""

ADDED_S = 0.05
"""A clock that shows so much more than was left has been given more, and tells nothing."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """What a move loses, in seconds.

    Args:
        common_s: the mean of late.
        worst_s: the most of late, or what is set if that is more.
    """

    common_s: float
    worst_s: float


@dataclass(slots=True)
class LostTime:
    """What the moves of this game have lost."""

    _samples: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES_MAX))
    _asked: Wish | None = None
    _left_s: float | None = None  # what the clock shows now if nothing was lost

    def begin(self, wish: Wish) -> Overhead:
        """Hear of a `go`; return what the move will lose."""
        clock_s = _clock_s(wish)
        if self._left_s is not None and clock_s is not None and self._is_next(wish):
            lost_s = self._left_s - clock_s
            if lost_s > -ADDED_S:
                self._samples.append(max(lost_s, 0.0))
        elif not self._is_next(wish):
            self._samples.clear()
        self._asked, self._left_s = wish, None
        set_s = wish.options.overhead_ms / 1000
        if not self._samples:
            return Overhead(set_s * UNKNOWN_SHARE, set_s)
        common_s = sum(self._samples) / len(self._samples)
        return Overhead(common_s, max(set_s, *self._samples))

    def end(self, elapsed_s: float) -> None:
        """Hear that the move was answered so long after its `go`."""
        if self._asked is None or (clock_s := _clock_s(self._asked)) is None:
            return
        side = int(self._asked.boards[-1].is_black)
        self._left_s = clock_s - elapsed_s + self._asked.go.increments_ms[side] / 1000

    def _is_next(self, wish: Wish) -> bool:
        """Whether a wish is for the next move of the same game, the other side having replied."""
        if self._asked is None or len(wish.boards) < 3:
            return False
        return wish.boards[-3].key == self._asked.boards[-1].key


def _clock_s(wish: Wish) -> float | None:
    clock_ms = wish.go.clocks_ms[int(wish.boards[-1].is_black)]
    return None if clock_ms is None else clock_ms / 1000
