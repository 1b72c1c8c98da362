"""Decides when a search of the UCI engine ends, and which lines are sent during it.

The caller passes the time since the search began, in seconds.  The caller also searches: it deepens
by iterations to `depth_max`, reports each, and stops when `is_enough` is true or at the deadline.
"""

from __future__ import annotations

from math import inf

from engine_ext.chess.fast.search import DEPTH_MAX, MATE_VALUE
from engine_ext.chess.fen import is_chess960
from master.games.chess.uci.lost_time import Overhead
from master.games.chess.uci.session import Wish
from master.games.chess.uci.steadiness import Steadiness
from master.games.chess.uci.time_limits import (
    UNLIMITED,
    TimeLimits,
    limits_of_clock,
    limits_of_move,
)
from master.games.chess.uci.wording import (
    Effort,
    Iteration,
    best_move_line,
    iteration_lines,
    status_lines,
)
from master.games.chess.values import mate_moves

STATUS_FROM_S = 3.0
"""From then on the current move is reported; before, lines come fast enough."""

STATUS_EVERY_S = 1.0
"""People read no faster."""


class Thinking:
    """One search, from `go` to `bestmove`.

    Attributes:
        is_held: whether no answer may be given yet: until `stop`, or `ponderhit`.
    """

    def __init__(self, wish: Wish, overhead: Overhead) -> None:
        """Begin to think.

        Args:
            wish: the search to make.
            overhead: the time that the clock loses outside the engine.
        """
        self.wish = wish
        self._steadiness = Steadiness()
        self.is_held = wish.go.is_infinite or wish.go.is_ponder
        self._limits = _limits(wish, overhead)
        self._clock_began_s = 0.0
        self._is_stopped = False
        self._sent: Iteration | None = None
        self._status_sent_s = STATUS_FROM_S - STATUS_EVERY_S

    @property
    def has_moves(self) -> bool:
        """Whether there is anything to search."""
        return self.wish.boards[-1].move_count > 0

    @property
    def depth_max(self) -> int:
        """The maximum depth in plies."""
        return min(self.wish.go.depth or DEPTH_MAX, DEPTH_MAX)

    @property
    def is_chess960(self) -> bool:
        """Whether castling is written as the king taking its rook: by option, or unavoidably."""
        return self.wish.options.is_chess960 or is_chess960(self.wish.boards[0])

    @property
    def deadline_s(self) -> float:
        """The time at which the search stops, in seconds since it began; infinite: none is set."""
        return inf if self.is_held else self._clock_began_s + self._limits.hard_s

    @property
    def soft_deadline_s(self) -> float:
        """The time after which no iteration begins, like `deadline_s`.  Any thread may read it."""
        if self.is_held:
            return inf
        limits = self._limits
        soft_s = min(limits.soft_s * self._steadiness.factor, limits.hard_s)
        return self._clock_began_s + (soft_s if limits.soft_s < limits.hard_s else limits.soft_s)

    def iterated(self, iteration: Iteration, effort: Effort) -> list[str]:
        """Record an iteration; return the lines about it."""
        if not iteration.lines or iteration == self._sent:
            return []
        self._sent = iteration
        value, line = iteration.lines[0]
        if line:
            self._steadiness = self._steadiness.after(value, line[0])
        return iteration_lines(iteration, effort, is_wdl_shown=self.wish.options.is_wdl_shown)

    def is_enough(self, elapsed_s: float) -> bool:
        """Whether the search must stop."""
        if self._is_stopped or elapsed_s >= self.deadline_s:
            return True
        if self.is_held or self._sent is None:
            return False
        return self._is_mate_found() or (
            elapsed_s >= self.soft_deadline_s
            or (self._limits.soft_s < self._limits.hard_s and self._is_decided())
        )

    def stop(self) -> None:
        """Record that an answer is wanted now."""
        self.is_held, self._is_stopped = False, True

    def ponder_hit(self, elapsed_s: float) -> None:
        """Record that the clock runs from now on."""
        if self.wish.go.is_ponder and self.is_held:
            self.is_held, self._clock_began_s = self.wish.go.is_infinite, elapsed_s

    def status(self, move: tuple[str, int] | None, effort: Effort) -> list[str]:
        """Return the lines to send in the middle of an iteration, mostly none."""
        if effort.elapsed_s < self._status_sent_s + STATUS_EVERY_S:
            return []
        self._status_sent_s = effort.elapsed_s
        depth = 1 if self._sent is None else self._sent.depth + 1
        return status_lines(depth, move, effort)

    def answer(self) -> str:
        """Return the line that ends the search."""
        lines = () if self._sent is None else self._sent.lines
        return best_move_line(lines[0][1] if lines else ())

    def without_moves(self, effort: Effort) -> list[str]:
        """Return the lines for a position in which no move is legal: mate or stalemate."""
        value = -MATE_VALUE if self.wish.boards[-1].is_check else 0
        over = Iteration(0, 0, ((value, ()),))
        return [line.removesuffix(" pv ") for line in iteration_lines(over, effort)]

    def _is_mate_found(self) -> bool:
        """Whether the requested mate is found."""
        if self.wish.go.mate is None or self._sent is None:
            return False
        moves = mate_moves(self._sent.lines[0][0])
        return moves is not None and 0 < moves <= self.wish.go.mate

    def _is_decided(self) -> bool:
        """Whether the search needs no more time: there is only one move, or a certain mate."""
        assert self._sent is not None
        if self.wish.boards[-1].move_count == 1:
            return True
        plies = MATE_VALUE - abs(self._sent.lines[0][0])
        return plies <= self._sent.depth


def _limits(wish: Wish, overhead: Overhead) -> TimeLimits:
    """Return the limits by the clock, or by a move's own time."""
    go = wish.go
    if go.move_ms is not None:
        return limits_of_move(go.move_ms / 1000, overhead.worst_s)
    side = int(wish.boards[-1].is_black)
    clock_ms = go.clocks_ms[side]
    if go.is_infinite or clock_ms is None:
        return UNLIMITED
    increment_s = go.increments_ms[side] / 1000
    return limits_of_clock(clock_ms / 1000, increment_s, go.moves_to_go, overhead)
