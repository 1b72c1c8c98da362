"""Who was turned away, counted; and said, but no more often than somebody wants to read it.

Knows codes and times that it is told.  Must not know links or logs.
"""

import time
from collections import Counter
from collections.abc import Callable

from protocol.access.rules import NOBODY_ELSE, Access
from protocol.codes import ReplyCode

SAID_AGAIN_S = 60.0
"""Refusals with one code are said in one line of this many seconds, those between are counted."""

STRANGER_CODES = (
    ReplyCode.NO_SECRET,
    ReplyCode.BAD_SECRET,
    ReplyCode.NOT_MANYPLY,
    ReplyCode.WRONG_VERSION,
    ReplyCode.HANDSHAKE_TIMEOUT,
)
"""How the connections of those end who never said who they are."""


class Doorkeeper:
    """Turns away, counts and tells.

    Args:
        access: what peers have to show.
        warn: shows people a line.
        clock: seconds.
    """

    def __init__(
        self,
        access: Access = NOBODY_ELSE,
        warn: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.access = access
        self.counts: Counter[str] = Counter()
        self._warn = warn
        self._clock = clock
        self._said: dict[str, tuple[float, int]] = {}  # by code: when, and the count then

    def note(self, peer: str, code: str, text: str) -> None:
        """Count a peer that was turned away, and say so if that was not said just now."""
        self.counts[code] += 1
        now, count = self._clock(), self.counts[code]
        said_at, said_count = self._said.get(code, (float("-inf"), 0))
        if now - said_at < SAID_AGAIN_S:
            return
        self._said[code] = now, count
        more = count - said_count - 1
        between = f" (and {more} like it before)" if more else ""
        self._warn(f"{peer}: {code}: {text}{between}")

    def note_end(self, peer: str, reason: str) -> None:
        """Count a stranger whose connection has ended, if it was turned away, or turned us away."""
        code, _, text = reason.partition(": ")
        if code in STRANGER_CODES:
            self.note(peer, code, text)

    def summary(self) -> str:
        """Return the counts for people; empty when nobody was turned away."""
        return ", ".join(f"{code} {count}" for code, count in sorted(self.counts.items()))
