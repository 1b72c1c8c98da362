"""The table of analyser sessions, refusals of analysers, and the messages sent to them.

Incoming messages go to the analyser handler (master.service.analysers.analyser_handler), and the
events of a session to its listeners.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

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
from master.reports.texts import counted
from master.service.analysers.endpoints import Endpoint
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

K = TypeVar("K")
V = TypeVar("V")

NAMES_MAX = 10_000
"""Names that are remembered, the latest: a fleet has fewer, those of a rule-breaker may be many."""

BREAKERS_MAX = 3
"""Names of one host that broke a rule before its new names are refused: a new version that is
wrong breaks rules on several machines behind one router, each of them once."""

REFUSED_S_MIN = 60.0
"""New names of such a host are refused for so long, and twice as long with each further one."""

REFUSED_S_MAX = 3600.0
"""An hour at most: behind the address there may be an honest machine tomorrow."""


@dataclass
class _Host:
    """A host, or a certificate, some of whose analysers broke a rule."""

    names: dict[str, None] = field(default_factory=dict)
    refused_until: float = 0.0


class Refusals:
    """Remembers analysers that broke a rule, and gives the reasons to refuse them."""

    def __init__(self) -> None:
        """Start with none."""
        self._texts: dict[tuple[str, str], str] = {}
        self._hosts: dict[str, _Host] = {}
        self._served: dict[tuple[str, str], None] = {}

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over (name, host) of those that are refused by name."""
        return iter(self._texts)

    def note_served(self, name: str, endpoint: Endpoint) -> None:
        """Remember that an analyser was served: it may come again even if its host is refused."""
        _put(self._served, (name, endpoint.origin), None)

    def refuse(self, name: str, endpoint: Endpoint, text: str, now: float) -> None:
        """Refuse an analyser by name from now on, and new names from there if it is one of many."""
        _put(self._texts, (name, endpoint.origin), text)
        self._served.pop((name, endpoint.origin), None)
        if not endpoint.is_inbound:
            return
        host = self._hosts.get(endpoint.origin) or _Host()
        _put(self._hosts, endpoint.origin, host)
        _put(host.names, name, None)
        further = len(host.names) - BREAKERS_MAX
        if further >= 0:
            seconds = REFUSED_S_MIN * 2.0 ** min(further, 30)
            host.refused_until = now + min(seconds, REFUSED_S_MAX)

    def reason(self, name: str, endpoint: Endpoint, now: float) -> str:
        """Return why an analyser is refused; empty: it is not."""
        key = (name, endpoint.origin)
        if key in self._texts:
            return self._texts[key]
        host = self._hosts.get(endpoint.origin)
        if host is None or now >= host.refused_until or key in self._served:
            return ""
        left_s = host.refused_until - now
        return (
            f"{len(host.names)} analysers of {endpoint.whence} broke rules: "
            f"no new one of it is taken for {left_s:.0f} s"
        )


def _put(table: dict[K, V], key: K, value: V) -> None:
    """Put an entry behind all others of a bounded table."""
    table.pop(key, None)
    if len(table) >= NAMES_MAX:
        del table[next(iter(table))]
    table[key] = value


class AckMarks:
    """The results of one session that are not known to be durable.

    Each count of results has the ticket of its storing. A count comes out only when everything
    stored for its results, and for all before them, is durable.
    """

    def __init__(self) -> None:
        self._marks: deque[tuple[int, int]] = deque()  # (results received, ticket), both growing
        self._durable = 0

    def record(self, received: int, ticket: int) -> None:
        """Record that the first `received` results are durable once `ticket` is stored."""
        marks = self._marks
        if marks and marks[-1][1] == ticket:
            marks.pop()
        marks.append((received, ticket))

    def durable(self, stored: int) -> int:
        """Return how many results are durable, given the ticket stored last."""
        marks = self._marks
        while marks and marks[0][1] <= stored:
            self._durable = marks.popleft()[0]
        return self._durable


RETURN_GRACE_S = 0.8
"""A killed analyser's parts are handed out again within a second."""

SessionEvent = AnalyserReady | AnalyserResized | AnalyserDraining | AnalyserLost


@dataclass
class Asked:
    """A line whose reply is timed (see RoundTrips)."""

    token: str
    at: float
    is_answered: bool = False


@dataclass(eq=False)
class Session:
    """One session of one analyser.

    `number` is the scheduler's name for it, `announced` its own. Without a link it is kept until
    `kept_until`, by the loop's clock.
    """

    number: int
    delivery: MasterSession
    name: str
    announced: str
    endpoint: Endpoint
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
        if count > self.delivery.acked:
            self.link.send(Ack(count=count))


SessionListener = Callable[[Session, SessionEvent | None], None]


def log_line(session: Session, event: SessionEvent | None) -> str:
    """Return the line of a log about an analyser that joins or leaves; empty: there is none.

    Of an analyser that this master dials, its dialler says that it left, and what is tried next.
    """
    endpoint = session.endpoint
    where = f" ({endpoint.address})" * endpoint.is_inbound
    if isinstance(event, AnalyserReady):
        return f"analyser {session.name}{where} joins: {counted(event.workers, 'worker')}"
    if isinstance(event, AnalyserLost) and endpoint.is_inbound:
        return f"analyser {session.name}{where} leaves: {event.reason}"
    return ""


class SessionLog:
    """Logs each analyser that joins or leaves, until this process leaves itself.

    Args:
        sessions: to be logged.
        log: called with each line.
    """

    def __init__(self, sessions: SessionTable, log: Callable[[str], None]) -> None:
        self._log = log
        self._is_closed = False
        sessions.listen(self._on_session)

    def _on_session(self, session: Session, event: SessionEvent | None) -> None:
        line = log_line(session, event)
        if line and not self._is_closed:
            self._log(line)

    def close(self) -> None:
        """Log nothing more."""
        self._is_closed = True


class SessionTable:
    """All sessions that go on."""

    def __init__(self, name: str) -> None:
        """Start empty; `name` is how this master introduces itself."""
        self._name = to_text(name, 64)
        self._sessions: dict[int, Session] = {}
        self._refusals = Refusals()
        self._listeners: list[SessionListener] = []
        self._next_number = 1
        self._is_closing = False

    def __iter__(self) -> Iterator[Session]:
        """Iterate over every session that goes on, in the order they came; none goes meanwhile."""
        return iter(list(self._sessions.values()))

    def get(self, number: int) -> Session | None:
        """Return the session of this number, if it goes on."""
        return self._sessions.get(number)

    def listen(self, listener: SessionListener) -> None:
        """Have a function called with each session that becomes ready, drains, or is gone.

        With it comes the event for the scheduler; None where the scheduler itself asked for the
        change.
        """
        self._listeners.append(listener)

    def _notify(self, session: Session, event: SessionEvent | None) -> None:
        for listener in self._listeners:
            listener(session, event)

    def refused(self) -> list[tuple[str, str]]:
        """Return (name, origin) of the analysers that are refused by name."""
        return list(self._refusals)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    # Coming and going.

    def admit(self, link: Link, hello: AnalyserHello, endpoint: Endpoint) -> Session | None:
        """Greet an analyser: give it its session again, a new one, or none."""
        refusal = self._refusals.reason(hello.name, endpoint, self._now())
        if refusal or self._is_closing:
            endpoint.state, endpoint.text = "quarantined", refusal or "the master is closing"
            link.send(Bye(reason=to_text(f"refused: {endpoint.text}")))
            return None
        session = self._returned(hello, endpoint) or self._new_session(hello, endpoint)
        if session.link is not None:
            self.lose(session, "it came back on another connection")
        session.link, session.endpoint, session.asked = link, endpoint, None
        endpoint.seen_as = session.name
        side = link.connection
        assert isinstance(side, MasterSide), "a master speaks as one"
        side.session = session.delivery
        link.send(
            MasterHello(
                name=self._name, session=session.delivery.name, received=session.delivery.received
            )
        )
        return session

    def _returned(self, hello: AnalyserHello, endpoint: Endpoint) -> Session | None:
        now = asyncio.get_running_loop().time()
        for session in self:
            if session.link is None and session.kept_until <= now:
                del self._sessions[session.number]
        for session in self._sessions.values() if hello.session else ():
            if endpoint.leads_back_to(session.endpoint) and is_offered(
                hello, session.delivery.name
            ):
                return session
        return None

    def _new_session(self, hello: AnalyserHello, endpoint: Endpoint) -> Session:
        number = self._next_number
        self._next_number += 1
        taken = {session.name for session in self._sessions.values()}
        name = wanted = endpoint.name or hello.name
        count = 1
        while name in taken:
            count += 1
            name = f"{wanted}#{count}"
        session = Session(number, MasterSession(new_session_secret()), name, hello.name, endpoint)
        self._sessions[number] = session
        return session

    def make_ready(self, session: Session, workers: int) -> None:
        """Its engines are loaded: it takes parts from now on."""
        session.workers, session.is_ready, session.is_draining = workers, True, False
        session.endpoint.state, session.endpoint.text = "ready", ""
        offers = tuple(session.offers.values())
        host = session.endpoint.address if session.endpoint.is_ours else session.endpoint.host
        self._refusals.note_served(session.announced, session.endpoint)
        self._notify(session, AnalyserReady(session.number, session.name, workers, offers, host))

    def resize(self, session: Session, workers: int) -> None:
        """It has announced other workers or engines."""
        session.workers = workers
        offers = tuple(session.offers.values())
        self._notify(session, AnalyserResized(session.number, workers, offers))

    def make_draining(self, session: Session) -> None:
        """It takes no more parts."""
        session.is_draining = True
        self._notify(session, AnalyserDraining(session.number))

    def lose(self, session: Session, reason: str, breach: str = "") -> None:
        """Its link is gone; forget the session unless its analyser may come back.

        If an analyser broke a rule, the scheduler decides first about its session.
        """
        was_ready, session.is_ready, session.link = session.is_ready, False, None
        is_cut = reason == EOF_REASON and session.endpoint.is_returning
        grace_s = RETURN_GRACE_S if is_cut and was_ready else 0.0
        session.kept_until = asyncio.get_running_loop().time() + grace_s
        if was_ready:
            is_orderly = reason != EOF_REASON and ": " not in reason
            self._notify(session, AnalyserLost(session.number, reason, grace_s, is_orderly, breach))
        if not grace_s:
            self._sessions.pop(session.number, None)

    def drop(self, number: int, reason: str) -> None:
        """End an analyser's connection, and its session with it; it may come again."""
        link = self._link(number)
        if link is not None:
            self.lose(self._sessions[number], f"closed: {reason}")
            link.send(Bye(reason=to_text(reason)))

    def condemn(self, session: Session, text: str) -> None:
        """Treat an analyser that sent false bounds as one that broke a rule, though it has gone."""
        self._refusals.refuse(
            session.announced, session.endpoint, f"quarantined: {text}", self._now()
        )
        if session.number in self._sessions:
            self.lose(session, text, ReplyCode.BAD_RESULT)

    def quarantine(self, command: Quarantine) -> None:
        """End an analyser's connection and refuse it from now on."""
        session = self._sessions.pop(command.analyser, None)
        if session is None:
            return
        text = f"quarantined: {command.text}"
        self._refusals.refuse(session.announced, session.endpoint, text, self._now())
        session.endpoint.state, session.endpoint.text = "quarantined", text
        link, session.link, session.is_ready = session.link, None, False
        if link is not None and not link.is_closed:
            link.send(Bye(reason=to_text(f"{command.code}: {command.text}")))
        self._notify(session, None)

    async def drop_all(self, reason: str) -> None:
        """End every connection without acknowledging anything more, and forget the sessions."""
        links = [session.link for session in self if session.link is not None]
        for session in self:
            if session.link is not None:
                self.lose(session, f"closed: {reason}")
        self._sessions.clear()
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
        session = self._sessions.get(number)
        return session.link if session is not None and session.is_ready else None

    def acknowledge(self, stored: int) -> None:
        """Acknowledge to every session the results that are durable now."""
        for session in self._sessions.values():
            session.acknowledge(stored)


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
