"""The way in for analysers, the routes of their messages, and the round trips to them.

Each sender of parts has numbers of its own for them, and receives the replies to these.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from master.contract.events import EngineOffer
from master.contract.reading import Work, to_events
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import Asked, Session, SessionTable
from protocol.aio import Link
from protocol.codes import LocalProtocolError, ReplyCode
from protocol.events import (
    EOF_REASON,
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
)
from protocol.messages import AnalyserHello, Drain, Engine, Entries, Ping, Pong, Ready

BREACHES = (
    ReplyCode.BAD_RESULT,
    ReplyCode.BAD_VALUE,
    ReplyCode.WRONG_ORDER,
    ReplyCode.TOO_MANY_ERRORS,
)
"""Codes of breaches of the protocol; an analyser that is only slow, silent or gone causes none."""


class Route(NamedTuple):
    """The receiver of analysers' replies to some parts.

    Args:
        parts: the numbers of its parts, which no other route has.
        receive: called with the session and the replies to them, in order.
    """

    parts: range
    receive: Callable[[Session, list[Work]], None]


class Receivers(NamedTuple):
    """The receivers of messages that are not about parts.

    Args:
        receive_entries: called with table entries, which are for every part.
        settle: called at the end of each turn in which a session sent something.
        warn: shows people a line.
        receive_pong: called with the reply to a timed ping.
    """

    receive_entries: Callable[[Session, Entries], None]
    settle: Callable[[Session], None]
    warn: Callable[[str], None]
    receive_pong: Callable[[Session, Pong], None] = lambda session, pong: None


@dataclass
class AnalyserVisit:
    """One connection of an analyser: the session it was given, and why it ended."""

    session: Session | None = None
    reason: str = EOF_REASON
    breach: str = ""


class AnalyserHandler:
    """The one way in for analysers."""

    def __init__(self, sessions: SessionTable, receivers: Receivers, *routes: Route) -> None:
        """Begin; the routes cover every number of a part that is handed out."""
        self._sessions = sessions
        self._receivers = receivers
        self._routes = routes

    async def serve(
        self, link: Link, endpoint: Endpoint, on_ready: Callable[[], None] | None = None
    ) -> str:
        """Serve an analyser until its connection ends; return why it ended."""
        visit = AnalyserVisit()

        def receive(events: list[LinkEvent]) -> None:
            if visit.session is None:
                self._greet(visit, link, events, endpoint)
            if visit.session is not None:
                self._receive(visit.session, events, on_ready)
            visit.reason = _end_reason(events[-1]) or visit.reason
            visit.breach = _breach(events[-1])

        try:
            await link.deliver(receive)
        finally:
            session = visit.session
            if session is not None and session.link is link:
                self._sessions.lose(session, visit.reason, visit.breach)
            await link.aclose("the master leaves")
        return visit.reason

    def _greet(
        self, visit: AnalyserVisit, link: Link, events: list[LinkEvent], endpoint: Endpoint
    ) -> None:
        """Give the analyser a session, or none, if its hello is among the events."""
        for event in events:
            if isinstance(event, MessageReceived) and isinstance(event.message, AnalyserHello):
                visit.session = self._sessions.admit(link, event.message, endpoint)
                if visit.session is None:
                    visit.reason = endpoint.text

    def _receive(
        self, session: Session, events: list[LinkEvent], on_ready: Callable[[], None] | None
    ) -> None:
        """Pass an analyser's messages on, in order; those about parts in a row go together."""
        route, work = self._routes[0], list[Work]()
        low, high = route.parts.start, route.parts.stop
        for event in to_events(session.number, events):
            if isinstance(event, Work):
                if not low <= event.part < high:
                    _deliver(route, session, work)
                    route, work = self._route(event.part), []
                    low, high = route.parts.start, route.parts.stop
                work.append(event)
                continue
            _deliver(route, session, work)
            work = []
            if isinstance(event, Engine):
                offer = EngineOffer(
                    event.game,
                    event.digest,
                    event.power,
                    event.services,
                    event.name,
                )
                session.offers[event.game] = offer
            elif isinstance(event, Ready) and session.is_ready:
                self._sessions.resize(session, event.workers)
            elif isinstance(event, Ready):
                self._sessions.make_ready(session, event.workers)
                if on_ready is not None:
                    on_ready()
            elif isinstance(event, Entries):
                self._receivers.receive_entries(session, event)
            elif isinstance(event, Pong):
                self._receivers.receive_pong(session, event)
            elif isinstance(event, Drain):
                self._sessions.make_draining(session)
            elif isinstance(event, LineRejected) and event.code not in session.warned:
                session.warned.add(event.code)
                self._receivers.warn(f"analyser {session.name}: {event.code}: {event.text}")
        _deliver(route, session, work)
        self._receivers.settle(session)

    def _route(self, part: int) -> Route:
        return next(route for route in self._routes if part in route.parts)


def _deliver(route: Route, session: Session, work: list[Work]) -> None:
    if work:
        route.receive(session, work)


def _end_reason(event: LinkEvent) -> str:
    """Return why a connection ended, if this is its last event."""
    if isinstance(event, PeerClosed):
        return event.reason
    if isinstance(event, ProtocolFailed):
        return f"{event.code}: {event.text}"
    return ""


def _breach(event: LinkEvent) -> str:
    """Return the code of the rule that an analyser broke, if that ended its connection."""
    return event.code if isinstance(event, ProtocolFailed) and event.code in BREACHES else ""


INTERVAL_S = 10.0
"""Between two measurements of one analyser: a thousand of them take a hundred lines a second."""

_TOKEN = "round-trip-"


class RoundTrips:
    """The times from a ping to an analyser until its pong: seldom, and only while they are shown.

    The pings that detect a silent link are other ones: an analyser at work is never silent, but its
    user wants to see the time.
    """

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
