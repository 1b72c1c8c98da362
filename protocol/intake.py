"""What a peer has sent and nobody has handled yet: its lines come out a turn's worth at a time.

Knows bytes and lines, and how much of them one turn of a loop may hold. Must not know messages.
"""

from collections import deque

from protocol.codes import ReplyCode
from protocol.line import LineBuffer

TURN_LINES = 64
"""Lines of one connection that are handled in one turn: half a millisecond, so that a flood of one
peer delays the lines of another by no more, and enough for a turn to cost nothing beside them."""

TURN_BYTES = 1 << 16
"""Bytes of one connection that are cut into lines in one turn: two of the longest lines."""


class Intake:
    """Bytes of a peer in, lines out: at most TURN_LINES of them, and TURN_BYTES, at a time.

    `lines` were cut and `unread` was not, by turns before; every read looks at both.
    """

    def __init__(self, line_bytes_max: int) -> None:
        self._buffer = LineBuffer(line_bytes_max)
        self.unread = b""
        self.lines: deque[str | ReplyCode] = deque()

    @property
    def is_empty(self) -> bool:
        """No line and no byte waits, but for the start of a line whose end has not come."""
        return not self.lines and not self.unread

    def put(self, data: bytes) -> None:
        """Take the next bytes."""
        self.unread = self.unread + data if self.unread else data

    def turn(self) -> deque[str | ReplyCode]:
        """Return the lines that wait, cut from the next bytes if there are none.

        The caller takes at most TURN_LINES from the left; the rest stays for its next turns.
        """
        if not self.lines and self.unread:
            piece, self.unread = self.unread[:TURN_BYTES], self.unread[TURN_BYTES:]
            self.lines.extend(self._buffer.feed(piece))
        return self.lines

    def clear(self) -> None:
        """Forget what waits."""
        self.unread = b""
        self.lines.clear()
