"""The analysers below a relay: it dials them, starts them, or lets them dial in."""

from collections.abc import Callable, Sequence
from typing import Self

from master.config.fleet_list import FleetEntry
from master.relay.fleet_backend import FleetBackend, Upward
from master.service.analysers.analyser_handler import AnalyserHandler, Receivers, Route
from master.service.analysers.dialler import Dialler
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.listening import listen_for_analysers
from master.service.analysers.sessions import SessionTable
from master.service.background_tasks import BackgroundTasks
from protocol.access.rules import Access
from protocol.address import Address
from protocol.aio import Link, Listener
from protocol.guards.access_control import AccessControl
from protocol.messages import NUMBER_MAX

ALL_PARTS = range(NUMBER_MAX + 1)


class Fleet:
    """All analysers below. Use it as an async context manager."""

    def __init__(
        self,
        name: str,
        access: Access,
        warn: Callable[[str], None],
        local_port: int | None = None,
    ) -> None:
        """Prepare; no analyser is dialled before `start`.

        Args:
            name: how the relay introduces itself below.
            access: required of analysers that dial in, or that are dialled over a network.
            warn: shows people a line.
            local_port: source port of links to dialled analysers; None: any.
        """
        self.keeper = AccessControl(access, warn)
        self._warn = warn
        self._local_port = local_port
        self._sessions = SessionTable(name)
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
        if self._listener is not None:
            await self._listener.aclose()
        await self._tasks.cancel()
        await self._sessions.close("the relay leaves")
