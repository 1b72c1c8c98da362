"""The analyser's side of its links: one master at a time, its session, its parts.

It decides which master is served and how much may be computed. Links come from `endpoints`, and a
`backend` computes. Everything here runs in the event loop's thread, except `_deliver`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import dataclass

from analyser.backend import Backend, NewBackend, Outlet, OwnBackend
from engine_ext.contexts import ContextError
from protocol.access.lock import Lock
from protocol.aio import Link
from protocol.events import LineRejected, LinkEvent, MessageReceived, PeerClosed, ProtocolFailed
from protocol.guards.access_control import AccessControl
from protocol.messages import (
    REQUEST_TYPES,
    UNACKED_MAX,
    Ack,
    AnalyserHello,
    Busy,
    Bye,
    Drain,
    Entries,
    Error,
    Info,
    MasterHello,
    Message,
    Ready,
    Search,
    Status,
    Stop,
    Who,
    to_text,
)
from protocol.session import AnalyserSession
from protocol.sides import AnalyserSide
from protocol.states import LinkState

GRACE_S = 60.0
"""How long parts and results wait for their master after a break: a router's restart."""

PROGRESS_INTERVAL_S = 1.0
"""Steps are reported this often, so that a hung engine behind a live socket is found."""

DRAIN_S = 25.0
"""A drain that takes longer ends anyway; the master dispatches the parts again.

Slurm (KillWait) and Kubernetes (terminationGracePeriodSeconds) kill a process 30 s after SIGTERM. A
shorter drain still sends finished results and the bye."""

NOBODY = "nobody is left who computes"
"""The reason when a relay without analysers leaves its master, which then dispatches again."""

log = logging.getLogger("manyply.analyser")


@dataclass(frozen=True)
class AgentConfig:
    """The configuration of an analyser.

    Args:
        name: Its name for people.
        worker_count: Parts computed at a time, one thread each; urgent ones pause others.
        games: Games it offers.
        unacked_max: Results kept without an `ack`; nothing is computed beyond.
        grace_s: See GRACE_S.
        progress_interval_s: See PROGRESS_INTERVAL_S.
        drain_s: See DRAIN_S.
    """

    name: str
    worker_count: int
    games: tuple[str, ...]
    unacked_max: int = UNACKED_MAX
    grace_s: float = GRACE_S
    progress_interval_s: float = PROGRESS_INTERVAL_S
    drain_s: float = DRAIN_S


class Agent:
    """Serves one master over any number of links, one after another."""

    def __init__(
        self,
        config: AgentConfig,
        keeper: AccessControl | None = None,
        new_backend: NewBackend | None = None,
    ) -> None:
        """Get ready to serve masters; without a backend given, compute in own threads."""
        self._config = config
        self.keeper = keeper or AccessControl(warn=log.warning)
        self._loop = asyncio.get_running_loop()
        self._session = AnalyserSession(unacked_max=config.unacked_max)
        outlet = Outlet(self._deliver, self._announce, config.unacked_max)
        self._backend: Backend = (
            OwnBackend(config.worker_count, config.games, outlet)
            if new_backend is None
            else new_backend(outlet)
        )
        self._results: deque[Message] = deque()
        self._is_delivery_due = False
        self._link: Link | None = None  # of the master served; a closed one may come back
        self._master = ""
        self._has_searched = False  # in this session
        self._grace: asyncio.TimerHandle | None = None
        self._loading: asyncio.Task[None] | None = None
        self._is_draining = False
        self._refusal = ""  # why no master is served now
        self._open = asyncio.Event()
        self._open.set()
        self._idle_since = self._loop.time()
        self._changed = asyncio.Event()
        self._introductions: set[asyncio.Task[None]] = set()

    def make_side(self, lock: Lock | None = None) -> AnalyserSide:
        """Return the protocol core of a new link; a lock asks its master for a secret."""
        shop = self._backend
        cores = max(1, shop.worker_count)  # as far as known yet; `ready` has the final number
        hello = AnalyserHello(name=self._config.name, cores=cores, games=shop.games)
        return AnalyserSide(hello, self._session, lock=lock)

    def load(self) -> asyncio.Task[None]:
        """Begin to load the engines and to measure their power, once."""
        if self._loading is None:
            self._loading = asyncio.create_task(self._backend.load())
        return self._loading

    async def serve(self, link: Link) -> None:
        """Serve one link to its end."""
        if self.is_open:
            self.load()
        progress = asyncio.create_task(self._report_progress(link))
        try:
            await link.deliver(lambda events: self._receive_all(link, events))
        finally:
            progress.cancel()
            if link is self._link:
                self._await_return()
            self._changed.set()

    def _receive_all(self, link: Link, events: list[LinkEvent]) -> None:
        for event in events:
            if isinstance(event, MessageReceived):
                self._receive(link, event.message)
            elif isinstance(event, LineRejected | ProtocolFailed):
                self.keeper.note(link.peer, event.code, event.text)
            elif isinstance(event, PeerClosed) and link is self._link:
                log.info("%s: %s leaves: %s", link.peer, self._master, event.reason)
            elif isinstance(event, PeerClosed):
                self.keeper.note_end(link.peer, event.reason)

    def _receive(self, link: Link, message: Message) -> None:
        if isinstance(message, REQUEST_TYPES) and link is self._link:
            self._has_searched |= isinstance(message, Search) and not self._is_draining
            results = self._backend.submit(message, is_refused=self._is_draining)
            if results:
                link.send(*results)
        elif isinstance(message, MasterHello):
            self._greet(link, message)
        elif isinstance(message, Who | Status):
            link.send(*self._infos(message))
        elif link is not self._link:
            return  # a late event of a connection that another one has replaced
        elif isinstance(message, Ack):
            self._backend.allow(self._session.first_unacked - 1 + self._session.unacked_max)
            self._backend.hold(self._session.is_heavy)
            self._changed.set()
        elif isinstance(message, Stop):
            self._backend.stop((message.part, message.attempt))
        elif isinstance(message, Entries):
            self._learn(link, message)

    def _learn(self, link: Link, entries: Entries) -> None:
        """Use table entries in this session's searches, or answer with the reason why not."""
        if not self._has_searched:
            return  # no search in this session: such entries may be false
        try:
            self._backend.learn(entries)
        except ContextError as error:
            log.warning("%s: entries of %s: %s", link.peer, entries.game, error)
            link.send(Error(code=error.code, text=to_text(str(error))))

    def _greet(self, link: Link, hello: MasterHello) -> None:
        """Serve a master that says hello, or send it the name of the master being served."""
        side = link.connection
        assert isinstance(side, AnalyserSide)
        if self._refusal:
            link.send(Bye(reason=self._refusal))
            return
        if not side.is_resumed:
            if not self._is_free_for(hello):
                link.send(Busy(by=self._master))
                return
            self._forget_session()
        self._serve_next(link, hello)
        introduction = asyncio.create_task(self._introduce(link, side))
        self._introductions.add(introduction)
        introduction.add_done_callback(self._introductions.discard)

    async def _introduce(self, link: Link, side: AnalyserSide) -> None:
        """Announce the engines once they are loaded."""
        shop = self._backend
        while True:
            await asyncio.shield(self.load())
            if shop.worker_count:
                break  # else all workers have gone: wait for others
        if side.state is LinkState.LOADING:
            link.send(*shop.offers, Ready(workers=shop.worker_count))
            if self._is_draining:
                link.send(Drain())

    def _announce(self) -> None:
        """Announce the current engines and worker count; without any worker, leave the master."""
        link, shop = self._link, self._backend
        if not shop.worker_count:
            self._loading = None
            self._forget_session()
            if link is not None:
                link.send(Bye(reason=NOBODY))
        elif link is not None and not link.is_closed:
            side = link.connection
            assert isinstance(side, AnalyserSide)
            if side.state is LinkState.WORKING and side.may_resize:
                link.send(*shop.offers, Ready(workers=shop.worker_count))

    def _is_free_for(self, hello: MasterHello) -> bool:
        """Whether a new session may start: no master is served, and no other one may come back.

        A master that comes back under its name without its session has lost its memory, so
        the results kept for it are of no use.
        """
        if self._link is None:
            return True
        return self._link.is_closed and (self._is_idle or hello.name == self._master)

    def _serve_next(self, link: Link, hello: MasterHello) -> None:
        old, self._link = self._link, link
        self._master = hello.name
        log.info("%s: serving %s", link.peer, hello.name)
        self._end_grace()
        if old is not None and not old.is_closed:
            old.abort()

    def _end_grace(self) -> None:
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None

    def _deliver(self, messages: list[Message]) -> None:
        """Take messages of a worker thread; wake the loop once for all waiting messages."""
        self._results.extend(messages)
        if not self._is_delivery_due:
            self._is_delivery_due = True
            try:
                self._loop.call_soon_threadsafe(self._send_results)
            except RuntimeError:
                log.debug("the loop has ended; results of a part are dropped")

    def _send_results(self) -> None:
        self._is_delivery_due = False
        messages = [self._results.popleft() for _ in range(len(self._results))]
        if messages:
            assert self._link is not None, "forgetting a session drops its results"
            self._link.send(*self._due(messages, self._link))
            self._backend.hold(self._session.is_heavy)
            self._changed.set()

    def _due(self, messages: list[Message], link: Link) -> list[Message]:
        """Leave out table entries that the link does not take now: they may be lost."""
        side = link.connection
        assert isinstance(side, AnalyserSide)
        if side.state in (LinkState.WORKING, LinkState.DRAINING) and side.is_writable:
            return messages
        return [message for message in messages if not isinstance(message, Entries)]

    @property
    def _is_idle(self) -> bool:
        """Whether the master waits for nothing: no part is live, and it has stored all results."""
        session = self._session
        return not session.outstanding and session.first_unacked > session.result_count

    def _await_return(self) -> None:
        """After the link's end, keep parts and results for a while if the session can resume."""
        if not self._session.name or self._is_idle or self._is_draining:
            self._forget_session()
        else:
            self._grace = self._loop.call_later(self._config.grace_s, self._forget_session)

    def _forget_session(self) -> None:
        self._end_grace()
        self._link = None
        self._master = ""
        self._idle_since = self._loop.time()
        self._session.restart("")
        self._backend.cancel_all()
        self._results.clear()
        self._has_searched = False

    async def _report_progress(self, link: Link) -> None:
        while True:
            await asyncio.sleep(self._config.progress_interval_s)
            side = link.connection
            assert isinstance(side, AnalyserSide)
            if link is self._link and side.state in (LinkState.WORKING, LinkState.DRAINING):
                link.send(*self._backend.progress())

    def _infos(self, question: Who | Status) -> list[Info]:
        if isinstance(question, Who):
            master = self._master.encode("ascii", "replace").decode()
            why = f", {self._refusal}" if self._refusal else ""
            return [Info(text=f"serves {master or 'nobody'}{why}")]
        waiting = self._session.result_count - self._session.first_unacked + 1
        shop = self._backend
        paused = f", {count} of them paused" if (count := shop.paused_count) else ""
        return [
            Info(text=f"{shop.worker_count} workers, {shop.live_count} parts{paused}"),
            Info(text=f"{waiting} results wait for an ack"),
            Info(text=f"refused: {self.keeper.summary() or 'nobody'}"),
        ]

    async def drain(self) -> None:
        """Take no new parts, finish the outstanding ones (within `drain_s`), and send bye.

        It does not wait for a master to come back after a break.
        """
        self._is_draining = True
        link, drain_s = self._link, self._config.drain_s
        if link is None or link.is_closed:
            self._forget_session()
            return
        side = link.connection
        assert isinstance(side, AnalyserSide)
        if side.state is LinkState.WORKING:
            link.send(Drain())
        try:
            async with asyncio.timeout(drain_s):
                while not self._is_idle and not link.is_closed:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            log.warning("not drained in %.0f s", drain_s)
        await link.aclose("drained")

    @property
    def is_open(self) -> bool:
        """Whether masters are served: not between `pause` and `reopen`."""
        return self._open.is_set()

    @property
    def idle_since(self) -> float | None:
        """The loop's time since when an open agent has no master; None: it has one or is closed."""
        return self._idle_since if self._link is None and self.is_open else None

    async def wait_open(self) -> None:
        """Return once masters are served."""
        await self._open.wait()

    async def pause(self, refusal: str) -> None:
        """Drain, and refuse masters from now on with a bye that gives the reason."""
        self.refuse(refusal)
        await self.drain()

    def refuse(self, refusal: str) -> None:
        """Begin no session; a master being served stays."""
        self._refusal = refusal
        self._open.clear()

    def reopen(self) -> None:
        """Serve masters again after a pause."""
        if not self.is_open:
            self._refusal, self._is_draining = "", False
            self._idle_since = self._loop.time()
            self._open.set()

    async def close(self) -> None:
        """End the workers; results not yet acknowledged are lost, and computed elsewhere."""
        self._end_grace()
        for introduction in self._introductions:
            introduction.cancel()
        await self._backend.close()
