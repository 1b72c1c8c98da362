"""The analysers below a relay, and the backend by which they compute an agent's parts.

The backend is one form of the agent's `Backend`, which this module does not import: the agent
belongs to the analyser, and this module to the master.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol, Self

from engine_ext import services
from engine_ext.contexts import ContextError
from engine_ext.front import SEARCH
from master.config.fleet_list import FleetEntry
from master.contract.commands import Quarantine
from master.contract.events import AnalyserDraining, AnalyserLost, PartEnded
from master.contract.reading import Work
from master.fold.trials import TrialFold
from master.relay.forwarding import (
    Action,
    Condemn,
    Forwarding,
    HandDown,
    PoolChanged,
    SendUp,
    StopDown,
    TurnDown,
)
from master.relay.parts import Check
from master.service.analysers.analyser_handler import AnalyserHandler, Receivers, Route
from master.service.analysers.dialler import Dialler
from master.service.analysers.endpoints import Endpoint, listen_for_analysers
from master.service.analysers.sessions import Session, SessionEvent, SessionLog, SessionTable
from master.service.background_tasks import BackgroundTasks
from protocol.access.rules import Access
from protocol.address import Address
from protocol.aio import Link, Listener
from protocol.codes import LocalProtocolError, ReplyCode
from protocol.guards.access_control import AccessControl
from protocol.messages import (
    NUMBER_MAX,
    Engine,
    Entries,
    Message,
    PartRequest,
    Progress,
    Stop,
    Trials,
)
from protocol.sides import MasterSide

KINDS_MAX = 256
"""Contexts whose checks are kept."""


class Upward(Protocol):
    """The interface of the agent."""

    @property
    def deliver(self) -> Callable[[list[Message]], None]:
        """Send messages up, in order."""

    @property
    def announce(self) -> Callable[[], None]:
        """Say that workers or offers have changed."""

    @property
    def results_max(self) -> int:
        """Results allowed at first."""


class FleetBackend:
    """Computes parts on analysers below."""

    paused_count = 0  # they pause for urgent parts by themselves, and do not say so

    def __init__(
        self,
        sessions: SessionTable,
        keeper: AccessControl,
        warn: Callable[[str], None],
        upward: Upward,
    ) -> None:
        """Begin with analysers that come from now on.

        Args:
            sessions: sessions of the analysers below.
            keeper: counts the analysers that are not used.
            warn: shows people a line.
            upward: the agent.
        """
        self._sessions = sessions
        self._keeper = keeper
        self._warn = warn
        self._upward = upward
        self._loop = asyncio.get_running_loop()
        self._core = Forwarding(upward.results_max)
        self._staffed = asyncio.Event()
        self._is_announced = False  # analysers below have table entries of this session
        sessions.listen(self._on_session)

    # The agent's calls.

    @property
    def worker_count(self) -> int:
        """How many workers there are below; 0: none."""
        return self._core.pool.workers

    @property
    def games(self) -> tuple[str, ...]:
        """The games that the analysers below can compute."""
        return tuple(offer.game for offer in self.offers)

    @property
    def offers(self) -> tuple[Engine, ...]:
        """Their engines, powers summed."""
        return self._core.pool.offers()

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""
        return self._core.live_count

    async def load(self) -> None:
        """Return once an analyser is ready below."""
        await self._staffed.wait()

    def submit(self, request: PartRequest, *, is_refused: bool) -> list[Message]:
        """Hand a part down, or end it at once; all that comes of it is delivered."""
        if is_refused:
            text = "the relay is draining"
            self._carry_out(self._core.refuse(request, ReplyCode.DRAINING, text))
            return []
        try:
            game = services.context_game(request.context)
            check = _check_of(request.context) if isinstance(request, Trials) else None
        except ContextError as error:
            self._carry_out(self._core.refuse(request, error.code, str(error)))
        else:
            self._carry_out(self._core.receive(request, game, check))
        return []

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a part."""
        self._carry_out(self._core.stop(key))

    def learn(self, entries: Entries) -> None:
        """Pass table entries on to all analysers below that search the game."""
        self._tell(entries)

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""
        self._release(self._core.allow(result_count))

    def hold(self, is_held: bool) -> None:
        """Pass nothing on and hand nothing down while `is_held`."""
        if is_held is not self._core.outbox.is_held:
            self._release(self._core.hold(is_held))

    def cancel_all(self) -> None:
        """Forget every part and count, and the table entries that analysers below were sent.

        Analysers forget entries when their session ends. So it is ended, and they come again at
        once.
        """
        self._carry_out(self._core.cancel_all())
        is_announced, self._is_announced = self._is_announced, False
        for session in self._sessions if is_announced else ():
            if any(SEARCH in offer.services for offer in session.offers.values()):
                self._sessions.drop(session.number, "another master is served from now on")

    def progress(self) -> list[Progress]:
        """Return a report for each part that has begun below."""
        return self._core.progress()

    async def close(self) -> None:
        """Cancel all parts below."""
        self._carry_out(self._core.cancel_all())

    # Calls from below.

    def receive(self, session: Session, work: Sequence[Work]) -> None:
        """Pass replies to parts on."""
        self._carry_out(self._core.take_results(work))

    def receive_entries(self, session: Session, entries: Entries) -> None:
        """Pass table entries on, to the master above and to the other searching analysers."""
        if self._core.is_searched(entries.game):
            self._upward.deliver([entries])
            self._tell(entries, session)

    def settle(self, session: Session) -> None:
        """Acknowledge a session's results as far as they are passed on, at the end of a turn."""
        outbox = self._core.outbox
        session.marks.record(session.delivery.received, outbox.queued)
        session.acknowledge(outbox.released)

    def _on_session(self, session: Session, event: SessionEvent | None) -> None:
        if event is None:
            return  # it was our own wish
        if isinstance(event, AnalyserLost):
            is_death = not event.is_orderly
            actions = self._core.went(
                session.number, event.reason, is_death=is_death, breach=event.breach
            )
        elif isinstance(event, AnalyserDraining):
            actions = self._core.retired(session.number)
        else:
            actions = self._core.came(session.number, session.name, event.workers, event.engines)
        self._carry_out(actions)

    # How it works.

    def _release(self, actions: list[Action]) -> None:
        """Carry out the actions that room for results allows; acknowledge results that left."""
        self._carry_out(actions)
        if any(isinstance(action, SendUp) for action in actions):
            self._sessions.acknowledge(self._core.outbox.released)

    def _carry_out(self, actions: list[Action]) -> None:
        is_changed = False
        for action in actions:
            if isinstance(action, HandDown):
                failed = self._sessions.request(action.analyser, action.request)
                if failed is not None:
                    self._loop.call_soon(self._end, failed)
            elif isinstance(action, SendUp):
                self._upward.deliver(list(action.messages))
            elif isinstance(action, StopDown):
                stop = Stop(part=action.part, attempt=action.attempt)
                self._sessions.send(action.analyser, stop)
            elif isinstance(action, TurnDown):
                self._turn_down(action)
            elif isinstance(action, Condemn):
                self._condemn(action)
            else:
                assert isinstance(action, PoolChanged)
                is_changed = True
        if is_changed:
            self._announce()

    def _end(self, ended: PartEnded) -> None:
        """Have a part ended that could not be sent."""
        self._carry_out(self._core.take_results([ended]))

    def _announce(self) -> None:
        if self.worker_count:
            self._staffed.set()
        else:
            self._staffed.clear()
        self._upward.announce()

    def _turn_down(self, action: TurnDown) -> None:
        session = self._sessions.get(action.analyser)
        peer = "" if session is None else session.endpoint.address
        self._keeper.note(f"analyser {peer}", action.code, f"not used: {action.text}")

    def _condemn(self, action: Condemn) -> None:
        self._warn(f"{action.text}: this analyser is refused from now on")
        self._sessions.quarantine(Quarantine(action.analyser, action.code, action.text))

    def _tell(self, entries: Entries, source: Session | None = None) -> None:
        """Pass table entries on to all analysers below that search the game, except their source.

        They may be lost: an analyser that does not read at the moment gets none.
        """
        self._is_announced = True
        for session in self._sessions:
            offer = session.offers.get(entries.game)
            if (
                session is source
                or session.link is None
                or offer is None
                or SEARCH not in offer.services
            ):
                continue
            side = session.link.connection
            if isinstance(side, MasterSide) and side.is_settled and side.is_writable:
                try:
                    self._sessions.send(session.number, entries)
                except LocalProtocolError:
                    continue  # its lines are too short


@lru_cache(maxsize=KINDS_MAX)
def _check_of(context: str) -> Check:
    """Return the check that a context's trials must pass; ContextError if it has no trials."""
    ranges = services.value_ranges(context)
    return TrialFold(1, len(ranges), -1, ranges).check


ALL_PARTS = range(NUMBER_MAX + 1)


class Fleet:
    """All analysers below. Use it as an async context manager."""

    def __init__(
        self,
        name: str,
        access: Access,
        warn: Callable[[str], None],
        local_port: int | None = None,
        log: Callable[[str], None] = lambda text: None,
    ) -> None:
        """Prepare; no analyser is dialled before `start`.

        Args:
            name: how the relay introduces itself below.
            access: required of analysers that dial in, or that are dialled over a network.
            warn: shows people a line.
            local_port: source port of links to dialled analysers; None: any.
            log: called with a line when an analyser joins or leaves.
        """
        self.keeper = AccessControl(access, warn)
        self._warn = warn
        self._local_port = local_port
        self._sessions = SessionTable(name)
        self._session_log = SessionLog(self._sessions, log)
        self._tasks = BackgroundTasks(warn)
        self._listener: Listener | None = None
        self._analyser_handler: AnalyserHandler | None = None

    def open_backend(self, upward: Upward) -> FleetBackend:
        """Return the backend with which an agent serves masters; call it once, before `start`."""
        backend = FleetBackend(self._sessions, self.keeper, self._warn, upward)
        receivers = Receivers(backend.receive_entries, backend.settle, self._warn)
        self._analyser_handler = AnalyserHandler(
            self._sessions, receivers, Route(ALL_PARTS, backend.receive)
        )
        return backend

    async def start(self, listen: Address | None, entries: Sequence[FleetEntry]) -> int | None:
        """Listen for analysers, and call on those of a list from now on.

        Returns:
            The port listened on; None: none.

        Raises:
            MasterError: the address cannot be used.
        """
        assert self._analyser_handler is not None, "whoever comes is received"
        if listen is not None:
            self._listener = await listen_for_analysers(listen, self.keeper, self.serve_link)
        for entry in entries:
            dialler = Dialler(
                entry, self._analyser_handler, self._warn, self.keeper.access, self._local_port
            )
            self._tasks.spawn(dialler.run())
        return None if self._listener is None else self._listener.port

    async def serve_link(self, link: Link) -> None:
        """Serve an analyser that has dialled in."""
        assert self._analyser_handler is not None
        reason = await self._analyser_handler.serve(
            link, Endpoint.inbound(link.peer, link.certificate)
        )
        self.keeper.note_end(link.peer, reason)

    async def __aenter__(self) -> Self:
        """Return it."""
        return self

    async def __aexit__(self, *ending: object) -> None:
        """End all links, and with them the analysers that were started here."""
        self._session_log.close()
        if self._listener is not None:
            await self._listener.aclose()
        await self._tasks.cancel()
        await self._sessions.close("the relay leaves")
