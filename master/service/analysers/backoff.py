"""Waits between attempts, with decorrelated jitter; the random source is an argument."""

from collections.abc import Callable

WAIT_S_MIN = 0.1
"""A blip is over at once."""

WAIT_S_MAX = 30.0
"""A machine that was switched on is found within half a minute."""

GROWTH_MAX = 3.0
"""Each wait is drawn from the minimum to this many times the last one."""


class Backoff:
    """Waits that grow at random, so that a fleet that lost its master does not return as a herd."""

    def __init__(self, uniform: Callable[[float, float], float]) -> None:
        """Start small; `uniform(a, b)` draws a number between the two."""
        self._uniform = uniform
        self._last_s = WAIT_S_MIN

    def next_wait_s(self) -> float:
        """Return the seconds to wait before the next attempt."""
        drawn = self._uniform(WAIT_S_MIN, self._last_s * GROWTH_MAX)
        self._last_s = min(WAIT_S_MAX, drawn)
        return self._last_s

    def reset(self) -> None:
        """Start small again, after a success."""
        self._last_s = WAIT_S_MIN
