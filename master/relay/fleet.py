"""The analysers below a relay: it dials them, starts them, or lets them dial in."""

from collections.abc import Callable, Sequence
from typing import Self

from master.config.fleet_list import FleetEntry
from master.relay.fleet_workshop import FleetWorkshop, Upward
from master.service.analysers.dialler import Dialler
from master.service.analysers.doors import Door
from master.service.analysers.listening import listen_for_analysers
from master.service.analysers.reception import Desk, Reception, Route
from master.service.analysers.seats import Seats
from master.service.background_tasks import BackgroundTasks
from protocol.access.rules import Access
from protocol.address import Address
from protocol.aio import Link, Listener
from protocol.guards.doorkeeper import Doorkeeper
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
        self.keeper = Doorkeeper(access, warn)
        self._warn = warn
        self._local_port = local_port
        self._seats = Seats(name)
        self._tasks = BackgroundTasks(warn)
        self._listener: Listener | None = None
        self._reception: Reception | None = None

    def open_workshop(self, upward: Upward) -> FleetWorkshop:
        """Return the workshop with which an agent serves masters; call it once, before `start`."""
        workshop = FleetWorkshop(self._seats, self.keeper, self._warn, upward)
        desk = Desk(workshop.receive_entries, workshop.settle, self._warn)
        self._reception = Reception(self._seats, desk, Route(ALL_PARTS, workshop.receive))
        return workshop

    async def start(self, listen: Address | None, entries: Sequence[FleetEntry]) -> int | None:
        """Listen for analysers, and call on those of a list from now on.

        Returns:
            The port listened on; None: none.

        Raises:
            MasterError: the address cannot be used.
        """
        assert self._reception is not None, "whoever comes is received"
        if listen is not None:
            self._listener = await listen_for_analysers(listen, self.keeper, self.serve_link)
        for entry in entries:
            dialler = Dialler(
                entry, self._reception, self._warn, self.keeper.access, self._local_port
            )
            self._tasks.spawn(dialler.run())
        return None if self._listener is None else self._listener.port

    async def serve_link(self, link: Link) -> None:
        """Serve an analyser that has dialled in."""
        assert self._reception is not None
        reason = await self._reception.serve(link, Door.inbound(link.peer, link.certificate))
        self.keeper.note_end(link.peer, reason)

    async def __aenter__(self) -> Self:
        """Return it."""
        return self

    async def __aexit__(self, *ending: object) -> None:
        """End all links, and with them the analysers that were started here."""
        if self._listener is not None:
            await self._listener.aclose()
        await self._tasks.cancel()
        await self._seats.close("the relay leaves")
