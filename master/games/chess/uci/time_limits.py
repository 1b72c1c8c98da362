"""The time limits of a move: computes two limits from the time on the clock.

The shares below are set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from master.games.chess.uci.lost_time import Overhead

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
