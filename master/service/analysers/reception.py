"""The way in for analysers, and the routes of their messages to the receivers of the parts.

Each sender of parts has numbers of its own for them, and receives the replies to these.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from master.contract.events import EngineOffer
from master.contract.reading import Work, to_events
from master.service.analysers.doors import Door
from master.service.analysers.seats import Seat, Seats
from protocol.aio import Link
from protocol.codes import ReplyCode
from protocol.events import (
    EOF_REASON,
    LineRejected,
    LinkEvent,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
)
from protocol.messages import AnalyserHello, Drain, Engine, Entries, Pong, Ready

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
        receive: called with the seat and the replies to them, in order.
    """

    parts: range
    receive: Callable[[Seat, list[Work]], None]


class Desk(NamedTuple):
    """The receivers of messages that are not about parts.

    Args:
        receive_entries: called with table entries, which are for every part.
        settle: called at the end of each turn in which a seat sent something.
        warn: shows people a line.
        receive_pong: called with the reply to a timed ping.
    """

    receive_entries: Callable[[Seat, Entries], None]
    settle: Callable[[Seat], None]
    warn: Callable[[str], None]
    receive_pong: Callable[[Seat, Pong], None] = lambda seat, pong: None


@dataclass
class AnalyserVisit:
    """One connection of an analyser: the seat it was given, and why it ended."""

    seat: Seat | None = None
    reason: str = EOF_REASON
    breach: str = ""


class Reception:
    """The one way in for analysers."""

    def __init__(self, seats: Seats, desk: Desk, *routes: Route) -> None:
        """Begin; the routes cover every number of a part that is handed out."""
        self._seats = seats
        self._desk = desk
        self._routes = routes

    async def serve(
        self, link: Link, door: Door, on_ready: Callable[[], None] | None = None
    ) -> str:
        """Serve an analyser until its connection ends; return why it ended."""
        visit = AnalyserVisit()

        def receive(events: list[LinkEvent]) -> None:
            if visit.seat is None:
                self._greet(visit, link, events, door)
            if visit.seat is not None:
                self._receive(visit.seat, events, on_ready)
            visit.reason = _end_reason(events[-1]) or visit.reason
            visit.breach = _breach(events[-1])

        try:
            await link.deliver(receive)
        finally:
            seat = visit.seat
            if seat is not None and seat.link is link:
                self._seats.lose(seat, visit.reason, visit.breach)
            await link.aclose("the master leaves")
        return visit.reason

    def _greet(self, visit: AnalyserVisit, link: Link, events: list[LinkEvent], door: Door) -> None:
        """Give the analyser a seat, or none, if its hello is among the events."""
        for event in events:
            if isinstance(event, MessageReceived) and isinstance(event.message, AnalyserHello):
                visit.seat = self._seats.admit(link, event.message, door)
                if visit.seat is None:
                    visit.reason = door.text

    def _receive(
        self, seat: Seat, events: list[LinkEvent], on_ready: Callable[[], None] | None
    ) -> None:
        """Pass an analyser's messages on, in order; those about parts in a row go together."""
        route, work = self._routes[0], list[Work]()
        low, high = route.parts.start, route.parts.stop
        for told in to_events(seat.number, events):
            if isinstance(told, Work):
                if not low <= told.part < high:
                    _deliver(route, seat, work)
                    route, work = self._route(told.part), []
                    low, high = route.parts.start, route.parts.stop
                work.append(told)
                continue
            _deliver(route, seat, work)
            work = []
            if isinstance(told, Engine):
                offer = EngineOffer(told.game, told.digest, told.power, told.services, told.name)
                seat.offers[told.game] = offer
            elif isinstance(told, Ready) and seat.is_ready:
                self._seats.resize(seat, told.workers)
            elif isinstance(told, Ready):
                self._seats.make_ready(seat, told.workers)
                if on_ready is not None:
                    on_ready()
            elif isinstance(told, Entries):
                self._desk.receive_entries(seat, told)
            elif isinstance(told, Pong):
                self._desk.receive_pong(seat, told)
            elif isinstance(told, Drain):
                self._seats.make_draining(seat)
            elif isinstance(told, LineRejected) and told.code not in seat.warned:
                seat.warned.add(told.code)
                self._desk.warn(f"analyser {seat.name}: {told.code}: {told.text}")
        _deliver(route, seat, work)
        self._desk.settle(seat)

    def _route(self, part: int) -> Route:
        return next(route for route in self._routes if part in route.parts)


def _deliver(route: Route, seat: Seat, work: list[Work]) -> None:
    if work:
        route.receive(seat, work)


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
