"""How long a line to an analyser and its answer take: measured while somebody looks, and seldom.

Knows seats and the loop's clock.  The pings by which a silent link is given up are not these: an
analyser at work is never silent, and who waits for it wants to know.
"""

from __future__ import annotations

import asyncio
import contextlib

from master.service.analysers.seats import Asked, Seat, Seats
from protocol.codes import LocalProtocolError
from protocol.messages import Ping, Pong

INTERVAL_S = 10.0
"""Between two measurements of one analyser: a thousand of them take a hundred lines a second."""

_TOKEN = "round-trip-"


class RoundTrips:
    """Measures all analysers that are ready."""

    def __init__(self, seats: Seats) -> None:
        """Begin with nothing measured."""
        self._seats = seats
        self._count = 0

    def probe(self) -> None:
        """Ask those again who were not asked for a while."""
        now = asyncio.get_running_loop().time()
        for seat in self._seats:
            asked = seat.asked
            is_due = asked is None or (asked.is_answered and now >= asked.at + INTERVAL_S)
            if seat.is_ready and seat.link is not None and is_due:
                self._count += 1
                seat.asked = Asked(f"{_TOKEN}{self._count}", now)
                with contextlib.suppress(LocalProtocolError):  # it is leaving
                    self._seats.send(seat.number, Ping(token=seat.asked.token))

    def receive(self, seat: Seat, pong: Pong) -> None:
        """Note what the answer says, if it is one to the last line."""
        asked = seat.asked
        if asked is not None and not asked.is_answered and pong.token == asked.token:
            asked.is_answered = True
            seat.round_trip_s = asyncio.get_running_loop().time() - asked.at
