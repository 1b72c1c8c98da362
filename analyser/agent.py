"""The analyser's side of its links: one master at a time, its session, its parts.

Knows links, the session and the worker pool; decides who is served and when computing
pauses.  Must not know how links come about (see doors) or what is computed (see tasks).
Everything here runs in the event loop's thread, except `_deliver`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass

from analyser.power import engine_offers
from analyser.tasks import Task
from analyser.workers import WorkerPool
from protocol.aio import Link
from protocol.connection import AnalyserSide
from protocol.events import LineRejected, MessageReceived, PeerClosed, ProtocolFailed
from protocol.messages import (
    UNACKED_MAX,
    Ack,
    AnalyserHello,
    Busy,
    Drain,
    Engine,
    Fail,
    Info,
    MasterHello,
    Message,
    Ready,
    Status,
    Stop,
    Trials,
    Who,
    to_text,
)
from protocol.session import AnalyserSession
from protocol.states import State

GRACE_S = 60.0
"""How long parts and results wait for their master after a break: a router's restart."""

PROGRESS_INTERVAL_S = 1.0
"""Steps are reported this often, so that a hung engine behind a live socket is found."""

DRAIN_S = 30.0
"""A drain that takes longer ends anyway; the master hands the parts out again."""

log = logging.getLogger("manyply.analyser")


@dataclass(frozen=True)
class AgentConfig:
    """What an analyser is.

    Args:
        name: What people call it.
        worker_count: Parts computed at a time, one thread each.
        games: Games it offers.
        grace_s: See GRACE_S.
    """

    name: str
    worker_count: int
    games: tuple[str, ...]
    grace_s: float = GRACE_S


class Agent:
    """Serves one master over any number of links, one after another."""

    def __init__(self, config: AgentConfig) -> None:
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._results: deque[Message] = deque()
        self._is_delivery_due = False
        self._pool = WorkerPool(config.worker_count, self._deliver)
        unacked_max = max(UNACKED_MAX, 4 * self._pool.undelivered_max)
        self._session = AnalyserSession(unacked_max=unacked_max)
        self._link: Link | None = None
        self._master = ""
        self._grace: asyncio.TimerHandle | None = None
        self._offers: asyncio.Task[list[Engine]] | None = None
        self._is_draining = False
        self._changed = asyncio.Event()

    def make_side(self) -> AnalyserSide:
        """Return the protocol core of a new link."""
        config = self._config
        hello = AnalyserHello(name=config.name, cores=config.worker_count, games=config.games)
        return AnalyserSide(hello, self._session)

    @property
    def _is_held(self) -> bool:
        """Whether a master is served, or may still come back for its parts and results."""
        return self._link is not None and (not self._link.is_closed or self._grace is not None)

    async def serve(self, link: Link) -> None:
        """Serve one link to its end."""
        progress = asyncio.create_task(self._report_progress(link))
        try:
            while events := await link.events():
                for event in events:
                    if isinstance(event, MessageReceived):
                        await self._take(link, event.message)
                    elif isinstance(event, LineRejected | ProtocolFailed):
                        log.warning("%s: %s: %s", link.peer, event.code, event.text)
                    elif isinstance(event, PeerClosed) and link is self._link:
                        log.info("%s: %s", link.peer, event.reason)
        finally:
            progress.cancel()
            if link is self._link:
                self._await_return()

    async def _take(self, link: Link, message: Message) -> None:
        if isinstance(message, Trials):
            self._start(link, message)
        elif isinstance(message, Ack):
            self._adjust_pause()
            self._changed.set()
        elif isinstance(message, Stop):
            self._pool.stop((message.part, message.attempt))
        elif isinstance(message, MasterHello):
            await self._greet(link, message)
        elif isinstance(message, Who | Status):
            link.send(*self._infos(message))

    async def _greet(self, link: Link, hello: MasterHello) -> None:
        """Serve a master that says hello, or tell it who is served."""
        connection = link.connection
        assert isinstance(connection, AnalyserSide)
        if self._is_held and not connection.is_resumed:
            link.send(Busy(by=self._master))
            return
        self._take_over(link, hello, is_resumed=connection.is_resumed)
        offers = await self._load_offers()
        if connection.state is State.LOADING:
            link.send(*offers, Ready(workers=self._config.worker_count))
            if self._is_draining:
                link.send(Drain())

    def _take_over(self, link: Link, hello: MasterHello, *, is_resumed: bool) -> None:
        old, self._link = self._link, link
        self._master = hello.name
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        if old is not None and not old.is_closed:
            old.abort()
        if not is_resumed:
            self._forget_parts()

    async def _load_offers(self) -> list[Engine]:
        """Load the engines and measure their power, once."""
        if self._offers is None:
            config = self._config
            loading = asyncio.to_thread(engine_offers, config.games, config.worker_count)
            self._offers = asyncio.create_task(loading)
        return await asyncio.shield(self._offers)

    def _start(self, link: Link, request: Trials) -> None:
        if self._is_draining:
            link.send(
                Fail(part=request.part, attempt=request.attempt, code="draining", text="draining")
            )
        else:
            self._pool.submit(Task(request))

    def _deliver(self, messages: list[Message]) -> None:
        """Take messages of a worker thread; the loop is woken once for all that wait."""
        self._results.extend(messages)
        if not self._is_delivery_due:
            self._is_delivery_due = True
            try:
                self._loop.call_soon_threadsafe(self._send_results)
            except RuntimeError:
                log.debug("the loop has ended; results of a part are dropped")

    def _send_results(self) -> None:
        self._is_delivery_due = False
        count = len(self._results)
        messages = [self._results.popleft() for _ in range(count)]
        if self._link is not None and messages:
            self._link.send(*messages)
        self._adjust_pause()
        self._changed.set()

    def _adjust_pause(self) -> None:
        """Pause computing before more results wait for an `ack` than are kept."""
        session = self._session
        unacked = session.result_count - session.first_unacked + 1
        if unacked + self._pool.undelivered_max >= session.unacked_max:
            self._pool.pause()
        else:
            self._pool.resume()

    def _await_return(self) -> None:
        """Keep parts and results for a while after the link's end, if they can be asked for."""
        is_empty = not self._pool.live_count and self._is_all_acked
        if not self._session.name or is_empty or self._is_draining:
            self._forget_session()
        else:
            self._grace = self._loop.call_later(self._config.grace_s, self._forget_session)

    @property
    def _is_all_acked(self) -> bool:
        return self._session.first_unacked > self._session.result_count

    def _forget_session(self) -> None:
        self._grace = None
        self._link = None
        self._master = ""
        self._session.restart("")
        self._forget_parts()

    def _forget_parts(self) -> None:
        self._pool.cancel_all()
        self._results.clear()
        self._pool.resume()

    async def _report_progress(self, link: Link) -> None:
        while True:
            await asyncio.sleep(PROGRESS_INTERVAL_S)
            side = link.connection
            assert isinstance(side, AnalyserSide)
            if link is self._link and side.state in (State.WORKING, State.DRAINING):
                link.send(*self._pool.progress())

    def _infos(self, question: Who | Status) -> list[Info]:
        if isinstance(question, Who):
            return [Info(text=to_text(f"serves {self._master or 'nobody'}"))]
        waiting = self._session.result_count - self._session.first_unacked + 1
        return [
            Info(text=f"{self._config.worker_count} workers, {self._pool.live_count} parts"),
            Info(text=f"{waiting} results wait for an ack"),
        ]

    async def drain(self) -> None:
        """Take no new parts, finish those there are (within DRAIN_S), and say bye."""
        self._is_draining = True
        link = self._link
        if link is None or link.is_closed:
            return
        side = link.connection
        assert isinstance(side, AnalyserSide)
        if side.state is State.WORKING:
            link.send(Drain())
        try:
            async with asyncio.timeout(DRAIN_S):
                while (self._pool.live_count or not self._is_all_acked) and not link.is_closed:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            log.warning("not drained in %.0f s", DRAIN_S)
        await link.aclose("drained")

    async def close(self) -> None:
        """End the workers; results not yet acknowledged are lost, and computed elsewhere."""
        if self._grace is not None:
            self._grace.cancel()
        await asyncio.to_thread(self._pool.close)
