"""Counts of refused peers, with a warning line at most once a minute for each code."""

import time
from collections import Counter
from collections.abc import Callable

from protocol.access.rules import NOBODY_ELSE, Access
from protocol.codes import ReplyCode

SAID_AGAIN_S = 60.0
"""Seconds between two warnings with the same code; refusals between them are only counted."""

STRANGER_CODES = (
    ReplyCode.NO_SECRET,
    ReplyCode.BAD_SECRET,
    ReplyCode.NOT_MANYPLY,
    ReplyCode.WRONG_VERSION,
    ReplyCode.HANDSHAKE_TIMEOUT,
)
"""Codes that end the connection of a peer before it is identified."""


class AccessControl:
    """Access control of an endpoint, and the counts of refused peers.

    Args:
        access: the conditions that peers must meet.
        warn: shows people a line.
        clock: returns seconds.
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
        """Count a refused peer, and warn unless a warning with this code is recent."""
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
        """Count an ended connection if the peer was refused, or refused us, before it settled."""
        code, _, text = reason.partition(": ")
        if code in STRANGER_CODES:
            self.note(peer, code, text)

    def summary(self) -> str:
        """Return the counts for people; empty when no peer was refused."""
        return ", ".join(f"{code} {count}" for code, count in sorted(self.counts.items()))
