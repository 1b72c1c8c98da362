"""Acknowledgement of results: counts of results, each with the ticket of its storing.

The law: a count comes out only when everything stored for its results, and for all before them, is
durable.
"""

from collections import deque


class AckMarks:
    """The results of one session that are not known to be durable."""

    def __init__(self) -> None:
        self._marks: deque[tuple[int, int]] = deque()  # (results received, ticket), both growing
        self._durable = 0

    def record(self, received: int, ticket: int) -> None:
        """Record that the first `received` results are durable once `ticket` is stored."""
        marks = self._marks
        if marks and marks[-1][1] == ticket:
            marks.pop()
        marks.append((received, ticket))

    def durable(self, stored: int) -> int:
        """Return how many results are durable, given the ticket stored last."""
        marks = self._marks
        while marks and marks[0][1] <= stored:
            self._durable = marks.popleft()[0]
        return self._durable
