"""Decides when a search of the UCI engine ends, and which lines are sent meanwhile.

The caller passes the time since the search began, in seconds.  The caller also searches: it deepens
by iterations to `depth_max`, reports each, and stops when `is_enough` is true or at the deadline.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import inf

from engine_ext.chess.fast.search import DEPTH_MAX, MATE_VALUE
from engine_ext.chess.fen import is_chess960
from master.games.chess.threaded_search import mate_moves
from master.games.chess.uci.session import Wish
from master.games.chess.uci.wording import (
    Effort,
    Iteration,
    best_move_line,
    iteration_lines,
    status_lines,
)

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


WAVERING = 1.5
"""Of the time planned, after an iteration with another best move..."""

SETTLED = 0.75
"""... and after SETTLED_AFTER iterations with the same one."""

SETTLED_AFTER = 6

DROP = 30
"""Centipawns: after a fall of the value by so much in one iteration the search is longer..."""

DROPPED = 1.3
"""... by so many times the time."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The result of the last iterations.

    Args:
        move: the best one; empty: none is known.
        value: of that move, in centipawns.
        same: iterations in a row that found it.
        is_changed: whether the last one found another.
        is_dropped: whether the value fell in the last one.
    """

    move: str = ""
    value: int = 0
    same: int = 0
    is_changed: bool = False
    is_dropped: bool = False

    def after(self, value: int, move: str) -> Steadiness:
        """Return the state after one more iteration."""
        if not self.move:
            return Steadiness(move, value, 1)
        is_changed = move != self.move
        same = 1 if is_changed else self.same + 1
        return Steadiness(move, value, same, is_changed, value <= self.value - DROP)

    @property
    def factor(self) -> float:
        """The factor for the planned time."""
        factor = DROPPED if self.is_dropped else 1.0
        if self.same >= SETTLED_AFTER:
            return factor * SETTLED
        return factor * WAVERING if self.is_changed else factor


LEAST_S = 0.0002
"""The time for a move when none is left: one ply is always searched."""

MOVES_TO_GO = 30
"""The rest of a game is planned for so many moves, at any time."""

RESERVED_MOVES = 180
"""The usual loss of so many moves is kept in reserve, less the part that an increment replaces: the
last moves of a long game take hardly more.  In 2,000 games of 200 moves in a second with a loss of
3 ms a move, 258 were lost on time with 150, 6 with 170, none with 180."""

STALL_S = 0.03
"""A further reserve: a busy machine sometimes stops a process for so long."""

INCREMENTS_KEPT = 4
INCREMENTS_KEPT_S_MAX = 0.2
"""So many increments, but at most this time, are kept in reserve too.  With increments, the clock
would otherwise show little more than one increment for most of a long game, and a machine with
other load stops a process for .1 s at times; the reserve covers one such stop."""

SOFT_SHARE = 0.6
"""Of a move's time: after it no iteration begins, since it would take as long as all before."""

HARD_TIMES = 4.0
"""An iteration in progress may extend a move to so many times its time."""

HARD_SHARE = 0.4
"""Of the clock: no move takes more, unless it is the last one before more time is added."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The times at which a search ends.

    Args:
        soft_s: after this time no iteration begins.
        hard_s: at this time the search stops.
    """

    soft_s: float
    hard_s: float


UNLIMITED = TimeLimits(inf, inf)


def limits_of_move(move_s: float, overhead_s: float) -> TimeLimits:
    """Return the limits of a move that has its own time, all of which it uses."""
    seconds = max(move_s - overhead_s, LEAST_S)
    return TimeLimits(seconds, seconds)


def limits_of_clock(
    left_s: float, increment_s: float, moves_to_go: int | None, overhead: Overhead
) -> TimeLimits:
    """Return the limits of a move in a game.

    Args:
        left_s: the time on the clock.
        increment_s: the time added after the move.
        moves_to_go: until more time is added; None: never.
        overhead: the time lost outside the engine for each move.
    """
    moves = MOVES_TO_GO if moves_to_go is None else max(min(moves_to_go, MOVES_TO_GO), 1)
    most_s = max(left_s - overhead.worst_s, LEAST_S)
    reserved_moves = RESERVED_MOVES if moves_to_go is None else min(moves_to_go, RESERVED_MOVES)
    reserved_s = max(overhead.common_s - increment_s, 0) * reserved_moves
    gained_s = max(increment_s - overhead.common_s, 0)
    if moves_to_go is None:
        reserved_s += STALL_S + min(INCREMENTS_KEPT * increment_s, INCREMENTS_KEPT_S_MAX)
        gained_s *= min(left_s / (reserved_s + increment_s), 1)  # less grows back
    planned_s = max(left_s - reserved_s, 0) / moves + gained_s
    share = 1.0 if moves_to_go == 1 else HARD_SHARE
    unreserved_s = max(most_s - reserved_s, planned_s)
    hard_s = max(min(planned_s * HARD_TIMES, most_s * share, unreserved_s), LEAST_S)
    return TimeLimits(max(min(planned_s * SOFT_SHARE, hard_s), LEAST_S), hard_s)


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
        if line and value is not None:
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
        value = self._sent.lines[0][0]
        moves = None if value is None else mate_moves(value)
        return moves is not None and 0 < moves <= self.wish.go.mate

    def _is_decided(self) -> bool:
        """Whether the search needs no more time: there is only one move, or a certain mate."""
        assert self._sent is not None
        if self.wish.boards[-1].move_count == 1:
            return True
        plies = MATE_VALUE - abs(self._sent.lines[0][0] or 0)
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
