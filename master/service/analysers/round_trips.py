"""The time from a ping to an analyser until its pong: measured seldom, and only while it is shown.

The pings that detect a silent link are other ones: an analyser at work is never silent, but its
user wants to see the time.
"""

from __future__ import annotations

import contextlib
import time

from master.service.analysers.sessions import Asked, Session, SessionTable
from protocol.codes import LocalProtocolError
from protocol.messages import Ping, Pong

INTERVAL_S = 10.0
"""Between two measurements of one analyser: a thousand of them take a hundred lines a second."""

_TOKEN = "round-trip-"


class RoundTrips:
    """Measures all analysers that are ready."""

    def __init__(self, sessions: SessionTable) -> None:
        """Begin with nothing measured."""
        self._sessions = sessions
        self._count = 0

    def probe(self) -> None:
        """Send a ping to sessions that had none for a while."""
        now = time.monotonic()
        for session in self._sessions:
            asked = session.asked
            is_due = asked is None or (asked.is_answered and now >= asked.at + INTERVAL_S)
            if session.is_ready and session.link is not None and is_due:
                self._count += 1
                session.asked = Asked(f"{_TOKEN}{self._count}", now)
                with contextlib.suppress(LocalProtocolError):  # it is leaving
                    self._sessions.send(session.number, Ping(token=session.asked.token))

    def receive(self, session: Session, pong: Pong) -> None:
        """Note the time of a pong, if it answers the last ping."""
        asked = session.asked
        if asked is not None and not asked.is_answered and pong.token == asked.token:
            asked.is_answered = True
            session.round_trip_s = time.monotonic() - asked.at
