"""The input buffer of a connection: bytes in, a limited number of lines out in each turn."""

from collections import deque

from protocol.codes import ReplyCode
from protocol.line import LineBuffer

TURN_LINES = 64
"""Lines of one connection that are handled in one turn. They take half a millisecond: a flood of
one peer delays other peers by no more, and the cost of a turn is small beside it."""

TURN_BYTES = 1 << 16
"""Bytes of one connection that are cut into lines in one turn: two of the longest lines."""


class Intake:
    """Bytes of a peer in, lines out: at most TURN_LINES of them, and TURN_BYTES, at a time.

    `lines` are cut but not handled; `unread` is not cut yet.
    """

    def __init__(self, line_bytes_max: int) -> None:
        self._buffer = LineBuffer(line_bytes_max)
        self.unread = b""
        self.lines: deque[str | ReplyCode] = deque()

    @property
    def is_empty(self) -> bool:
        """No line and no byte waits, except the start of an incomplete line."""
        return not self.lines and not self.unread

    def put(self, data: bytes) -> None:
        """Take the next bytes."""
        self.unread = self.unread + data if self.unread else data

    def turn(self) -> deque[str | ReplyCode]:
        """Return the waiting lines; if there are none, cut the next bytes.

        The caller takes at most TURN_LINES from the left; the rest stays for its next turns.
        """
        if not self.lines and self.unread:
            piece, self.unread = self.unread[:TURN_BYTES], self.unread[TURN_BYTES:]
            self.lines.extend(self._buffer.feed(piece))
        return self.lines

    def clear(self) -> None:
        """Drop all waiting lines and bytes."""
        self.unread = b""
        self.lines.clear()
