"""The time that a clock loses outside the engine, measured from one `go` to the next."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from master.games.chess.uci.session import Wish

SAMPLES_MAX = 16
"""The number of past moves counted: the load of a busy machine changes within a game."""

UNKNOWN_SHARE = 0.25
"""Of the overhead that is set, to begin with: it is set for the worst moves."""

ADDED_S = 0.05
"""A clock that shows so much more than expected got time added, and measures no loss."""


@dataclass(frozen=True, slots=True)
class Overhead:
    """The time that a move loses, in seconds.

    Args:
        common_s: the mean of the last moves.
        worst_s: the maximum of the last moves, at least the option's value.
    """

    common_s: float
    worst_s: float


@dataclass(slots=True)
class LostTime:
    """The time lost by the moves of this game."""

    _samples: deque[float] = field(default_factory=lambda: deque(maxlen=SAMPLES_MAX))
    _asked: Wish | None = None
    _left_s: float | None = None  # the time on the clock now if none was lost

    def begin(self, wish: Wish) -> Overhead:
        """Record a `go`; return the expected loss of the move."""
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
        """Record the time between the last `go` and its answer."""
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
