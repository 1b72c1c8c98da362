"""The mean rate of a count over the last seconds."""

from collections import deque

WINDOW_S = 15.0
"""Long enough to smooth results that come about once a second, each of many trials."""

SAMPLE_S = 0.25
"""Samples closer than this replace each other, so that the memory is bounded."""


class RateMeter:
    """The rate of a count that is sampled now and then."""

    def __init__(self, now: float, count: int) -> None:
        """Start at a time with a count."""
        self._samples: deque[tuple[float, int]] = deque([(now, count)])

    def record(self, now: float, count: int) -> None:
        """Take a sample of the count."""
        samples = self._samples
        if len(samples) > 1 and now - samples[-2][0] < SAMPLE_S:
            samples.pop()
        samples.append((now, count))
        while len(samples) > 2 and now - samples[1][0] > WINDOW_S:
            samples.popleft()

    def per_s(self) -> float:
        """Return the rate over the window; 0.0 before any time has passed.

        Nor is it less for a count that falls, as when results of a lost analyser are withdrawn.
        """
        (first_time, first), (last_time, last) = self._samples[0], self._samples[-1]
        elapsed = last_time - first_time
        return max(0, last - first) / elapsed if elapsed > 0 else 0.0
