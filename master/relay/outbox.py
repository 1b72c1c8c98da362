"""Results on their way up: passed on in order, within the limit that the master above sets.

Results that wait here are not acknowledged below. So analysers there hold their work back when they
keep as many results as they may.
"""

from collections import deque
from collections.abc import Iterable

from protocol.messages import Message


class Outbox:
    """Results that wait for room.

    `queued` and `released` count all results ever, and never go back: the results queued up to a
    count have left once `released` has reached it.
    """

    def __init__(self, results_max: int) -> None:
        """Let `results_max` of a session's results go at first."""
        self._results_max = results_max
        self._allowed = results_max
        self._sent = 0  # of this session
        self._waiting: deque[Message] = deque()
        self.is_held = False
        self.queued = 0
        self.released = 0

    @property
    def is_open(self) -> bool:
        """Whether a further result would go at once."""
        return not self.is_held and not self._waiting and self._sent < self._allowed

    def put(self, messages: Iterable[Message]) -> None:
        """Add results."""
        before = len(self._waiting)
        self._waiting += messages
        self.queued += len(self._waiting) - before

    def allow(self, result_count: int) -> None:
        """Let the count of the session's results grow to `result_count`."""
        self._allowed = max(self._allowed, result_count)

    def release(self) -> list[Message]:
        """Return results that may go now, in order."""
        if self.is_held:
            return []
        count = min(len(self._waiting), self._allowed - self._sent)
        self._sent += count
        self.released += count
        return [self._waiting.popleft() for _ in range(count)]

    def restart(self) -> None:
        """Begin a session's count; waiting results are dropped."""
        self._waiting.clear()
        self.released = self.queued
        self._allowed, self._sent, self.is_held = self._results_max, 0, False
