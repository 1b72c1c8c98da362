"""The time of a search: the loop's, less the times in which this process did not run.

A suspended machine or a stopped process finds all its deadlines passed when it goes on, while the
answers that came in time are still unread. No analyser must be dropped for that.
"""

CHECK_S = 1.0
"""A search reads the clock at least so often."""

GAP_S_MAX = 1.5 * CHECK_S
"""More between two readings is a standstill, and does not count."""


class SearchClock:
    """Starts at 0.0; to be read every CHECK_S."""

    def __init__(self, time: float) -> None:
        """Start at a time of the loop."""
        self._last = time
        self._offset = time

    def read(self, time: float) -> float:
        """Return the search's time at a time of the loop, which never goes back."""
        self._offset += max(0.0, time - self._last - GAP_S_MAX)
        self._last = time
        return time - self._offset

    def to_loop(self, time: float) -> float:
        """Return the loop's time of a time of the search, if this process runs all the time."""
        return time + self._offset
