"""The table of analyser sessions, a seat for each, and the messages sent to them.

Incoming messages go to the reception (master.service.analysers.reception), and the events of a seat
to its listeners.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from master.contract.commands import HandOut, Quarantine, StopPart
from master.contract.events import (
    TRIALS,
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnalyserResized,
    EngineOffer,
    Outcome,
    PartEnded,
)
from master.service.analysers.acks import AckMarks
from master.service.analysers.doors import Door
from master.service.analysers.refusals import Refusals
from protocol.aio import Link
from protocol.codes import LocalProtocolError, ReplyCode
from protocol.events import EOF_REASON
from protocol.messages import (
    Ack,
    AnalyserHello,
    Bye,
    MasterHello,
    Message,
    PartRequest,
    Question,
    Stop,
    Trials,
    to_text,
)
from protocol.session import MasterSession
from protocol.session_secret import new_session_secret
from protocol.sides import MasterSide, is_offered
from protocol.states import LinkState

RETURN_GRACE_S = 0.8
"""A killed analyser's parts are handed out again within a second."""

SeatEvent = AnalyserReady | AnalyserResized | AnalyserDraining | AnalyserLost


@dataclass
class Asked:
    """A line whose reply is timed (see round_trips)."""

    token: str
    at: float
    is_answered: bool = False


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
    asked: Asked | None = None
    round_trip_s: float | None = None

    def acknowledge(self, stored: int) -> None:
        """Acknowledge every result that is durable once the ticket `stored` is, and no other."""
        if not self.is_ready or self.link is None or self.link.is_closed:
            return
        count = self.marks.durable(stored)
        if count > self.session.acked:
            self.link.send(Ack(count=count))


SeatListener = Callable[[Seat, SeatEvent | None], None]


class Seats:
    """All sessions that go on."""

    def __init__(self, name: str) -> None:
        """Start empty; `name` is how this master introduces itself."""
        self._name = to_text(name, 64)
        self._seats: dict[int, Seat] = {}
        self._refusals = Refusals()
        self._listeners: list[SeatListener] = []
        self._next_number = 1
        self._is_closing = False

    def __iter__(self) -> Iterator[Seat]:
        """Iterate over every session that goes on, in the order they came; none goes meanwhile."""
        return iter(list(self._seats.values()))

    def get(self, number: int) -> Seat | None:
        """Return the seat of this number, if its session goes on."""
        return self._seats.get(number)

    def listen(self, listener: SeatListener) -> None:
        """Have a function called with each seat that becomes ready, drains, or is gone.

        With it comes the event for the scheduler; None where the scheduler itself asked for the
        change.
        """
        self._listeners.append(listener)

    def _notify(self, seat: Seat, event: SeatEvent | None) -> None:
        for listener in self._listeners:
            listener(seat, event)

    def refused(self) -> list[tuple[str, str]]:
        """Return (name, origin) of the analysers that are refused by name."""
        return list(self._refusals)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    # Coming and going.

    def admit(self, link: Link, hello: AnalyserHello, door: Door) -> Seat | None:
        """Greet an analyser: give it its seat again, a new one, or none."""
        refusal = self._refusals.reason(hello.name, door, self._now())
        if refusal or self._is_closing:
            door.state, door.text = "quarantined", refusal or "the master is closing"
            link.send(Bye(reason=to_text(f"refused: {door.text}")))
            return None
        seat = self._returned(hello, door) or self._new_seat(hello, door)
        if seat.link is not None:
            self.lose(seat, "it came back on another connection")
        seat.link, seat.door, seat.asked = link, door, None
        door.seen_as = seat.name
        side = link.connection
        assert isinstance(side, MasterSide), "a master speaks as one"
        side.session = seat.session
        link.send(
            MasterHello(name=self._name, session=seat.session.name, received=seat.session.received)
        )
        return seat

    def _returned(self, hello: AnalyserHello, door: Door) -> Seat | None:
        now = asyncio.get_running_loop().time()
        for seat in self:
            if seat.link is None and seat.kept_until <= now:
                del self._seats[seat.number]
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

    def make_ready(self, seat: Seat, workers: int) -> None:
        """Its engines are loaded: it takes parts from now on."""
        seat.workers, seat.is_ready, seat.is_draining = workers, True, False
        seat.door.state, seat.door.text = "ready", ""
        offers = tuple(seat.offers.values())
        host = seat.door.address if seat.door.is_ours else seat.door.host
        self._refusals.note_served(seat.announced, seat.door)
        self._notify(seat, AnalyserReady(seat.number, seat.name, workers, offers, host))

    def resize(self, seat: Seat, workers: int) -> None:
        """It has announced other workers or engines."""
        seat.workers = workers
        offers = tuple(seat.offers.values())
        self._notify(seat, AnalyserResized(seat.number, workers, offers))

    def make_draining(self, seat: Seat) -> None:
        """It takes no more parts."""
        seat.is_draining = True
        self._notify(seat, AnalyserDraining(seat.number))

    def lose(self, seat: Seat, reason: str, breach: str = "") -> None:
        """Its link is gone; forget the seat unless its analyser may come back.

        If an analyser broke a rule, the scheduler decides first about its seat.
        """
        was_ready, seat.is_ready, seat.link = seat.is_ready, False, None
        is_cut = reason == EOF_REASON and seat.door.is_returning
        grace_s = RETURN_GRACE_S if is_cut and was_ready else 0.0
        seat.kept_until = asyncio.get_running_loop().time() + grace_s
        if was_ready:
            is_orderly = reason != EOF_REASON and ": " not in reason
            self._notify(seat, AnalyserLost(seat.number, reason, grace_s, is_orderly, breach))
        if not grace_s:
            self._seats.pop(seat.number, None)

    def drop(self, number: int, reason: str) -> None:
        """End an analyser's connection, and its session with it; it may come again."""
        link = self._link(number)
        if link is not None:
            self.lose(self._seats[number], f"closed: {reason}")
            link.send(Bye(reason=to_text(reason)))

    def condemn(self, seat: Seat, text: str) -> None:
        """Treat an analyser that sent false bounds as one that broke a rule, though it has gone."""
        self._refusals.refuse(seat.announced, seat.door, f"quarantined: {text}", self._now())
        if seat.number in self._seats:
            self.lose(seat, text, ReplyCode.BAD_RESULT)

    def quarantine(self, command: Quarantine) -> None:
        """End an analyser's connection and refuse it from now on."""
        seat = self._seats.pop(command.analyser, None)
        if seat is None:
            return
        text = f"quarantined: {command.text}"
        self._refusals.refuse(seat.announced, seat.door, text, self._now())
        seat.door.state, seat.door.text = "quarantined", text
        link, seat.link, seat.is_ready = seat.link, None, False
        if link is not None and not link.is_closed:
            link.send(Bye(reason=to_text(f"{command.code}: {command.text}")))
        self._notify(seat, None)

    async def drop_all(self, reason: str) -> None:
        """End every connection without acknowledging anything more, and forget the sessions."""
        links = [seat.link for seat in self if seat.link is not None]
        for seat in self:
            if seat.link is not None:
                self.lose(seat, f"closed: {reason}")
        self._seats.clear()
        await asyncio.gather(*(link.aclose(to_text(reason)) for link in links))

    async def close(self, reason: str) -> None:
        """End every connection and take no further one."""
        self._is_closing = True
        await self.drop_all(reason)

    # Outgoing messages.

    def hand_out(self, command: HandOut) -> PartEnded | None:
        """Send a part; return how one that cannot be sent has failed at once."""
        return self.request(command.analyser, _to_request(command))

    def request(self, number: int, request: PartRequest) -> PartEnded | None:
        """Send a request; return how one that cannot be sent has failed at once."""
        link = self._link(number)
        if link is None:
            return None  # Its loss is on the way to the listener that takes the part back.
        try:
            link.send(request)
        except LocalProtocolError as error:
            # An analyser's drain has arrived but is not worked off yet, or its lines are short.
            side = link.connection
            is_draining = isinstance(side, MasterSide) and side.state is LinkState.DRAINING
            code = ReplyCode.DRAINING if is_draining else ReplyCode.LINE_TOO_LONG
            return PartEnded(
                number, request.part, request.attempt, Outcome.FAIL, 0, code, str(error)
            )
        return None

    def stop_part(self, command: StopPart) -> None:
        """Ask for the early end of a part."""
        self.send(command.analyser, Stop(part=command.part, attempt=command.attempt))

    def send(self, number: int, message: Message) -> None:
        """Send an analyser a message; to one that is gone nothing is sent.

        Raises:
            LocalProtocolError: it cannot be sent now, or not to this analyser.
        """
        link = self._link(number)
        if link is not None:
            link.send(message)

    def _link(self, number: int) -> Link | None:
        seat = self._seats.get(number)
        return seat.link if seat is not None and seat.is_ready else None

    def acknowledge(self, stored: int) -> None:
        """Acknowledge to every seat the results that are durable now."""
        for seat in self._seats.values():
            seat.acknowledge(stored)


def _to_request(command: HandOut) -> PartRequest:
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
