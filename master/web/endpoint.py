"""The web endpoint: its sockets, its access control by address, and the time limit of a head."""

from __future__ import annotations

import asyncio
import errno
import importlib
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from master.contract.errors import MasterError, UnguardedError
from master.contract.page_master import PageMaster
from master.timeline.showing import NOTHING_SHOWN, ShownTimeline
from master.web.events.watching import Watching
from master.web.rules import Rules
from master.web.token_file import kept_token
from protocol.access.addresses import is_own_machine
from protocol.access.rules import EndpointRefusedError
from protocol.address import Address
from protocol.aio.descriptors import burst_max
from protocol.aio.reasons import reason_of
from protocol.aio.tcp import listening_hosts
from protocol.guards.access_control import AccessControl

if TYPE_CHECKING:
    from master.web.answering import Background
    from master.web.connections import Connections

HOW_TO_GUARD = (
    "give --libwrap, or --open to let everybody knock who reaches it or whom --allow names; or"
    " serve the page on localhost"
)

_EXTRA = "the page takes an extra: pip install 'manyply[web]'"


class PortTakenError(MasterError):
    """Another program listens on the port."""


def check_installed() -> None:
    """Raise MasterError, which names the command, if a package is not there."""
    try:
        for name in ("starlette", "uvicorn"):
            importlib.import_module(name)
    except ImportError:
        raise MasterError(_EXTRA) from None


_EVERYWHERE = ("", "0.0.0.0", "::")


def page_url(address: Address, port: int) -> str:
    """Return where this machine's browsers find the page of an endpoint."""
    host = "localhost" if address.host in _EVERYWHERE else address.host
    return f"http://{Address(host, port)}/"


class WebEndpoint:
    """Serves a master's page.

    Args:
        master: carries out requests.
        keeper: admits clients by address, and counts those turned away.
        name: the master's.
        state_dir: directory of the token.
        timeline: the timeline to show.
    """

    def __init__(
        self,
        master: PageMaster,
        keeper: AccessControl,
        name: str,
        state_dir: Path,
        timeline: ShownTimeline = NOTHING_SHOWN,
    ) -> None:
        self._master = master
        self._keeper = keeper
        self._state_dir = state_dir
        self._timeline = timeline
        self._watching = Watching(master, name)
        self._server: asyncio.Server | None = None
        self._connections: Connections
        self._background: Background

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None, "it is open"
        return int(self._server.sockets[0].getsockname()[1])

    async def open(self, address: Address) -> None:
        """Listen.

        Raises:
            PortTakenError: another program listens there.
            MasterError: a package is missing, the address or the token cannot be used, or anybody
                beyond this machine could come in.
        """
        check_installed()
        host = address.host or None
        try:
            hosts = await listening_hosts(host, address.port)
            self._keeper.access.by_address().check_endpoint(
                f"the page on {address}", hosts, HOW_TO_GUARD
            )
            token = await asyncio.to_thread(kept_token, self._state_dir)
            names = frozenset({address.host.lower(), socket.gethostname().lower()} - {""})
            rules = Rules(token, all(map(is_own_machine, hosts)), names)
            await self._serve(host, address.port, rules)
        except OSError as error:
            sort = PortTakenError if error.errno == errno.EADDRINUSE else MasterError
            raise sort(f"cannot serve the page on {address}: {reason_of(error)}") from None
        except EndpointRefusedError as error:
            raise UnguardedError(str(error)) from None

    async def _serve(self, host: str | None, port: int, rules: Rules) -> None:
        # Loaded here, so that a master without a page needs neither package.
        from master.web.answering import Site  # noqa: PLC0415
        from master.web.application import make_application  # noqa: PLC0415
        from master.web.connections import Connections  # noqa: PLC0415

        self._connections = Connections(self._keeper)
        self._server = await asyncio.get_running_loop().create_server(
            self._connections.begin, host, port, backlog=burst_max(), start_serving=False
        )
        site = Site(self._master, self._watching, rules, self.port, self._timeline)
        self._background = site.background
        self._connections.serve(make_application(site))
        await self._server.start_serving()

    async def aclose(self) -> None:
        """Listen no more; end all streams, the other connections, and the background tasks."""
        if self._server is None:
            return
        self._server.close()
        await self._watching.aclose()
        await self._connections.aclose()
        await self._background.aclose()
