"""An analyser handler with sessions, and fake analysers moved by hand; listeners only note."""

import asyncio
from collections.abc import Sequence
from typing import Any

from engine_ext.contexts import context_digest
from engine_ext.noop.runner import noop_context
from master.contract.commands import HandOut
from master.contract.events import Event, TrialsArrived
from master.contract.reading import Work
from master.search.running.search_sessions import JOB_PARTS, SEARCH_PARTS
from master.service.analysers.analyser_handler import AnalyserHandler, Receivers, RoundTrips, Route
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import Session, SessionEvent, SessionTable
from protocol.aio import memory_pair
from protocol.events import MessageReceived, PeerClosed
from protocol.messages import (
    AnalyserHello,
    Done,
    Engine,
    Entries,
    MasterHello,
    Message,
    Pong,
    Ready,
    Trial,
)
from protocol.session import AnalyserSession
from protocol.sides import AnalyserSide, MasterSide

CONTEXT = noop_context()
DIGEST = context_digest(CONTEXT)


class Hall:
    """What is told, in the order it was."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self.warnings: list[str] = []
        self.changes: list[tuple[int, str]] = []
        self.searched: asyncio.Queue[tuple[int, object]] = asyncio.Queue()
        self.given = 0
        self.stored = 0
        self.sessions = SessionTable("master")
        self.sessions.listen(self._record_change)
        self.round_trips = RoundTrips(self.sessions)
        self.pongs = 0
        self.analyser_handler = AnalyserHandler(
            self.sessions,
            Receivers(self._record_entries, self._settle, self.warnings.append, self._receive_pong),
            Route(JOB_PARTS, self._receive),
            Route(SEARCH_PARTS, self._receive_search),
        )

    def _receive(self, session: Session, work: Sequence[Work]) -> None:
        self.given += sum(isinstance(reported, TrialsArrived) for reported in work)
        for reported in work:
            self.events.put_nowait(reported)

    def _receive_search(self, session: Session, work: Sequence[Work]) -> None:
        for reported in work:
            self.searched.put_nowait((session.number, reported))

    def _receive_pong(self, session: Session, pong: Pong) -> None:
        self.pongs += 1
        self.round_trips.receive(session, pong)

    def _record_entries(self, session: Session, entries: Entries) -> None:
        self.searched.put_nowait((session.number, entries))

    def _settle(self, session: Session) -> None:
        session.marks.record(session.delivery.received, self.given)
        session.acknowledge(self.stored)

    def _record_change(self, session: Session, event: SessionEvent | None) -> None:
        state = "gone" if not session.is_ready else "draining" if session.is_draining else "ready"
        self.changes.append((session.number, state))
        if event is not None:
            self.events.put_nowait(event)

    async def next(self) -> Event:
        async with asyncio.timeout(5):
            return await self.events.get()


class Peer:
    """The analyser's end, moved by hand."""

    def __init__(
        self,
        hall: Hall,
        session: AnalyserSession | None = None,
        name: str = "a",
        endpoint: Endpoint | None = None,
    ) -> None:
        self.session = session or AnalyserSession()
        hello = AnalyserHello(name=name, cores=1)
        master_link, self.link = memory_pair(MasterSide(), AnalyserSide(hello, self.session))
        self.endpoint = endpoint or Endpoint.inbound("attic:1")
        self.served = asyncio.create_task(hall.analyser_handler.serve(master_link, self.endpoint))
        self._pending: list[Any] = []

    async def message(self, kind: type[Message]) -> Any:
        """Return the next message of a kind."""
        async with asyncio.timeout(5):
            while True:
                while self._pending:
                    event = self._pending.pop(0)
                    if isinstance(event, MessageReceived) and isinstance(event.message, kind):
                        return event.message
                    if isinstance(event, PeerClosed) and kind is Message:
                        return event
                self._pending += await self.link.events()

    async def get_ready(self) -> "Peer":
        await self.message(MasterHello)
        self.link.send(Engine(game="noop", digest=DIGEST, power=2.0), Ready(workers=3))
        return self

    def answer(self, part: int, seq: int) -> None:
        self.link.send(
            Trial(part=part, attempt=1, seq=seq, values=(0.5,)),
            Done(part=part, attempt=1, context_digest=DIGEST, count=1),
        )


def hand_out(part: int, analyser: int = 1) -> HandOut:
    return HandOut(analyser, part, 1, 1, part, 1, CONTEXT)


async def searcher(hall: Hall) -> Peer:
    peer = Peer(hall)
    await peer.message(MasterHello)
    engine = Engine(game="noop", digest=DIGEST, power=2.0, services=("search",))
    peer.link.send(engine, Ready(workers=3))
    await hall.next()
    return peer
