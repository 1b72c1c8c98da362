"""The analysers that are connected: their sessions, what they say, and what they are told.

Knows links and how messages become the scheduler's events. It decides nothing about work: it feeds
events and sends what it is told to. Results are acknowledged when the store says they are durable.

A broken TCP connection is waited for during RETURN_GRACE_S before the scheduler may hand its parts
out again; a silent one is given up by the connection's own deadlines (15 s without a word,
protocol.connection.Timing).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from master.contract.commands import HandOut, Quarantine, StopPart
from master.contract.events import (
    TRIALS,
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    EngineOffer,
    Outcome,
    PartEnded,
)
from master.contract.events import Event as SchedulerEvent
from master.contract.reading import Work, to_events
from master.search.numbering import SEARCH_PART_FIRST
from master.service.acks import AckMarks
from master.service.doors import Door
from protocol.aio import Link
from protocol.codes import LocalProtocolError, ReplyCode
from protocol.connection import MasterSide, is_offered
from protocol.events import (
    EOF_REASON,
    Event,
    LineRejected,
    MessageReceived,
    PeerClosed,
    ProtocolFailed,
)
from protocol.messages import (
    Ack,
    AnalyserHello,
    Bye,
    Drain,
    Engine,
    Entries,
    MasterHello,
    Message,
    Question,
    Ready,
    Request,
    Stop,
    Trials,
    to_text,
)
from protocol.session import MasterSession
from protocol.session_secret import new_session_secret
from protocol.states import State

# What no analyser does that keeps to the protocol, as opposed to one that is slow, silent or gone.
BREACHES = (
    ReplyCode.BAD_RESULT,
    ReplyCode.BAD_VALUE,
    ReplyCode.WRONG_ORDER,
    ReplyCode.TOO_MANY_ERRORS,
)

RETURN_GRACE_S = 0.8  # A killed analyser's parts are handed out again within a second.


class Host(Protocol):
    """What the pool needs of the service around it."""

    def feed(self, *events: SchedulerEvent) -> None:
        """Give the scheduler events and carry out what it answers to each."""

    def note_seat(self, seat: "Seat") -> None:
        """Tell the searches that a seat has become ready, is draining, or is gone."""

    def take_search(self, seat: "Seat", told: Work | Entries) -> None:
        """Give the searches what an analyser says of their parts, or tells of its table."""

    def warn(self, text: str) -> None:
        """Show people a line."""

    def last_ticket(self) -> int:
        """Return the ticket of what was given to the store last."""

    def stored_ticket(self) -> int:
        """Return the ticket up to which everything is durable."""


@dataclass(eq=False)
class Seat:
    """One session of one analyser.

    `number` is the scheduler's name for it, `announced` its own. Without a link it is kept until
    `kept_until`, by the loop's clock.
    """

    number: int
    session: MasterSession
    name: str
    announced: str
    door: Door
    link: Link | None = None
    workers: int = 0
    offers: dict[str, EngineOffer] = field(default_factory=dict)
    marks: AckMarks = field(default_factory=AckMarks)
    is_ready: bool = False
    is_draining: bool = False
    kept_until: float = 0.0
    warned: set[str] = field(default_factory=set)


@dataclass
class Visit:
    """One connection of an analyser: the seat it was given, and why it ended."""

    seat: Seat | None = None
    reason: str = EOF_REASON
    breach: str = ""


class Pool:
    """All sessions with analysers."""

    def __init__(self, host: Host, name: str) -> None:
        """Start empty; `name` is how this master introduces itself."""
        self._host = host
        self._name = to_text(name, 64)
        self._seats: dict[int, Seat] = {}
        self._refused: dict[tuple[str, str], str] = {}
        self._next_number = 1
        self._is_closing = False

    @property
    def all_seats(self) -> list[Seat]:
        """Every session that goes on, in the order they came."""
        return list(self._seats.values())

    async def serve(
        self, link: Link, door: Door, on_ready: Callable[[], None] | None = None
    ) -> str:
        """Speak with an analyser until its connection ends; return why it ended."""
        visit = Visit()

        def take(events: list[Event]) -> None:
            if visit.seat is None:
                self._greet(visit, link, events, door)
            if visit.seat is not None:
                self._take(visit.seat, events, on_ready)
            visit.reason = _end_reason(events[-1]) or visit.reason
            visit.breach = _breach(events[-1])

        try:
            await link.deliver(take)
        finally:
            seat = visit.seat
            if seat is not None and seat.link is link:
                self._lose(seat, visit.reason, visit.breach)
            await link.aclose("the master leaves")
        return visit.reason

    def _greet(self, visit: Visit, link: Link, events: list[Event], door: Door) -> None:
        """Give the analyser a seat, or none, if its hello is among the events."""
        for event in events:
            if isinstance(event, MessageReceived) and isinstance(event.message, AnalyserHello):
                visit.seat = self._seat(link, event.message, door)
                if visit.seat is None:
                    visit.reason = door.text

    def _seat(self, link: Link, hello: AnalyserHello, door: Door) -> Seat | None:
        """Greet an analyser: give it its seat again, a new one, or none."""
        refusal = self._refused.get((hello.name, door.host))
        if refusal is not None or self._is_closing:
            door.state, door.text = "quarantined", refusal or "the master is closing"
            link.send(Bye(reason=to_text(f"refused: {door.text}")))
            return None
        seat = self._returned(hello, door) or self._new_seat(hello, door)
        if seat.link is not None:
            self._lose(seat, "it came back on another connection")
        seat.link, seat.door = link, door
        side = link.connection
        assert isinstance(side, MasterSide), "a pool speaks as master"
        side.session = seat.session
        link.send(
            MasterHello(name=self._name, session=seat.session.name, received=seat.session.received)
        )
        return seat

    def _returned(self, hello: AnalyserHello, door: Door) -> Seat | None:
        now = asyncio.get_running_loop().time()
        for number, seat in list(self._seats.items()):
            if seat.link is None and seat.kept_until <= now:
                del self._seats[number]
        for seat in self._seats.values() if hello.session else ():
            if door.leads_back_to(seat.door) and is_offered(hello, seat.session.name):
                return seat
        return None

    def _new_seat(self, hello: AnalyserHello, door: Door) -> Seat:
        number = self._next_number
        self._next_number += 1
        taken = {seat.name for seat in self._seats.values()}
        name = wanted = door.name or hello.name
        count = 1
        while name in taken:
            count += 1
            name = f"{wanted}#{count}"
        seat = Seat(number, MasterSession(new_session_secret()), name, hello.name, door)
        self._seats[number] = seat
        return seat

    def _take(self, seat: Seat, events: list[Event], on_ready: Callable[[], None] | None) -> None:
        """Feed what an analyser said, in order, then see what may be acknowledged."""
        work: list[SchedulerEvent] = []
        for told in to_events(seat.number, events):
            if isinstance(told, Work):
                if told.part < SEARCH_PART_FIRST:
                    work.append(told)
                else:
                    self._host.take_search(seat, told)
                continue
            self._host.feed(*work)
            work = []
            if isinstance(told, Engine):
                offer = EngineOffer(told.game, told.digest, told.power, told.services)
                seat.offers[told.game] = offer
            elif isinstance(told, Ready):
                self._make_ready(seat, told.workers)
                if on_ready is not None:
                    on_ready()
            elif isinstance(told, Entries):
                self._host.take_search(seat, told)
            elif isinstance(told, Drain):
                seat.is_draining = True
                self._host.feed(AnalyserDraining(seat.number))
                self._host.note_seat(seat)
            elif isinstance(told, LineRejected) and told.code not in seat.warned:
                seat.warned.add(told.code)
                self._host.warn(f"analyser {seat.name}: {told.code}: {told.text}")
        self._host.feed(*work)
        seat.marks.note(seat.session.received, self._host.last_ticket())
        self._acknowledge(seat, self._host.stored_ticket())

    def _make_ready(self, seat: Seat, workers: int) -> None:
        seat.workers, seat.is_ready, seat.is_draining = workers, True, False
        seat.door.state, seat.door.text = "ready", ""
        offers = tuple(seat.offers.values())
        self._host.feed(AnalyserReady(seat.number, seat.name, workers, offers))
        self._host.note_seat(seat)

    def _lose(self, seat: Seat, reason: str, breach: str = "") -> None:
        """Tell the scheduler that a link is gone, and forget the seat unless it may be wanted.

        Of an analyser that broke a rule the scheduler decides first what becomes of it.
        """
        was_ready, seat.is_ready, seat.link = seat.is_ready, False, None
        is_cut = reason == EOF_REASON and seat.door.is_returning
        grace_s = RETURN_GRACE_S if is_cut and was_ready else 0.0
        seat.kept_until = asyncio.get_running_loop().time() + grace_s
        if was_ready:
            is_orderly = reason != EOF_REASON and ": " not in reason
            self._host.feed(AnalyserLost(seat.number, reason, grace_s, is_orderly, breach))
            self._host.note_seat(seat)
        if not grace_s:
            self._seats.pop(seat.number, None)

    # What the scheduler wants done.

    def hand_out(self, command: HandOut) -> None:
        """Send a part; one that cannot be sent fails at once."""
        link = self._link(command.analyser)
        if link is None:
            return  # Its loss is on the way to the scheduler, which takes the part back.
        try:
            link.send(_to_request(command))
        except LocalProtocolError as error:
            # An analyser's drain has arrived but is not worked off yet, or its lines are short.
            side = link.connection
            is_draining = isinstance(side, MasterSide) and side.state is State.DRAINING
            code = ReplyCode.DRAINING if is_draining else ReplyCode.LINE_TOO_LONG
            failed = PartEnded(
                command.analyser, command.part, command.attempt, Outcome.FAIL, 0, code, str(error)
            )
            asyncio.get_running_loop().call_soon(self._host.feed, failed)

    def stop_part(self, command: StopPart) -> None:
        """Ask for the early end of a part."""
        link = self._link(command.analyser)
        if link is not None:
            link.send(Stop(part=command.part, attempt=command.attempt))

    def quarantine(self, command: Quarantine) -> None:
        """End an analyser's connection and refuse it from now on."""
        seat = self._seats.pop(command.analyser, None)
        if seat is None:
            return
        text = f"quarantined: {command.text}"
        self._refused[(seat.announced, seat.door.host)] = text
        seat.door.state, seat.door.text = "quarantined", text
        link, seat.link, seat.is_ready = seat.link, None, False
        if link is not None and not link.is_closed:
            link.send(Bye(reason=to_text(f"{command.code}: {command.text}")))
        self._host.note_seat(seat)

    def send(self, number: int, message: Message) -> None:
        """Send an analyser a message of a search; to one that is gone nothing is sent.

        Raises:
            LocalProtocolError: it cannot be sent now, or not to this analyser.
        """
        link = self._link(number)
        if link is not None:
            link.send(message)

    def drop(self, number: int, reason: str) -> None:
        """End an analyser's connection, and its session with it; it may come again."""
        link = self._link(number)
        if link is not None:
            self._lose(self._seats[number], f"closed: {reason}")
            link.send(Bye(reason=to_text(reason)))

    def condemn(self, seat: Seat, text: str) -> None:
        """Have an analyser that lied treated as one that broke a rule, though it has gone."""
        self._refused[seat.announced, seat.door.host] = f"quarantined: {text}"
        if seat.number in self._seats:
            self._lose(seat, text, ReplyCode.BAD_RESULT)

    def _link(self, number: int) -> Link | None:
        seat = self._seats.get(number)
        return seat.link if seat is not None and seat.is_ready else None

    # What the store says.

    def acknowledge(self, stored: int) -> None:
        """Acknowledge every result that is durable now, and no other."""
        for seat in self._seats.values():
            self._acknowledge(seat, stored)

    def _acknowledge(self, seat: Seat, stored: int) -> None:
        if not seat.is_ready or seat.link is None or seat.link.is_closed:
            return
        count = seat.marks.durable(stored)
        if count > seat.session.acked:
            seat.link.send(Ack(count=count))

    async def drop_all(self, reason: str) -> None:
        """End every connection without acknowledging anything more, and forget the sessions."""
        seats = list(self._seats.values())
        links = [seat.link for seat in seats if seat.link is not None]
        for seat in seats:
            if seat.link is not None:
                self._lose(seat, f"closed: {reason}")
        self._seats.clear()
        await asyncio.gather(*(link.aclose(to_text(reason)) for link in links))

    async def close(self, reason: str) -> None:
        """End every connection and take no further one."""
        self._is_closing = True
        await self.drop_all(reason)


def _to_request(command: HandOut) -> Request:
    if command.service != TRIALS:
        return Question(
            part=command.part,
            attempt=command.attempt,
            service=command.service,
            context=command.context,
            urgent=command.is_urgent,
        )
    return Trials(
        part=command.part,
        attempt=command.attempt,
        first_seq=command.first_seq,
        count=command.count,
        context=command.context,
        urgent=command.is_urgent,
    )


def _end_reason(event: Event) -> str:
    """Return why a connection ended, if this is its last event."""
    if isinstance(event, PeerClosed):
        return event.reason
    if isinstance(event, ProtocolFailed):
        return f"{event.code}: {event.text}"
    return ""


def _breach(event: Event) -> str:
    """Return the code of the rule that an analyser broke, if that ended its connection."""
    return event.code if isinstance(event, ProtocolFailed) and event.code in BREACHES else ""
