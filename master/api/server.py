"""The endpoints of a master's interface: a Unix socket, a page and metrics over the network."""

from __future__ import annotations

import asyncio
import errno
import grp
import os
import socket
from collections.abc import Sequence
from pathlib import Path

from starlette.types import ASGIApp

from master.api.application import make_application
from master.api.connections import OWNER_LIMITS, Connections, Limits
from master.api.engines import EnginesHandlers
from master.api.jobs import JobHandlers, MetricsHandlers, check_installed
from master.api.matches import MatchesHandlers
from master.api.positions import PositionsHandlers
from master.api.rollouts import RolloutHandlers
from master.api.rules import Rules, kept_token
from master.api.searches import SearchHandlers
from master.api.site import ASSETS, Site
from master.api.timeline import TimelineHandlers
from master.api.watched import GameHandlers, game_assets
from master.api.watching import Watching
from master.config.paths import SOCKET_PATH_BYTES_MAX
from master.contract.errors import MasterError, UnguardedError
from master.contract.master import PageMaster
from master.timeline.showing import NOTHING_SHOWN, ShownTimeline
from protocol.access.addresses import is_own_machine
from protocol.access.rules import EndpointRefusedError
from protocol.address import Address
from protocol.aio.descriptors import burst_max
from protocol.aio.reasons import reason_of
from protocol.aio.tcp import listening_hosts
from protocol.guards.access_control import AccessControl

PAGE_GUARD = (
    "give --libwrap, or --open to let everybody knock who reaches it or whom --allow names; or"
    " serve the page on localhost"
)

METRICS_GUARD = (
    "give --libwrap, or --open to let everybody read who reaches it or whom --allow names; or serve"
    " metrics on localhost"
)

METRICS_LIMITS = Limits(connections_max=16, head_s=5.0, stalled_s=5.0)
"""A few programs read, each some times a minute; Prometheus itself waits 10 s."""


class PortTakenError(MasterError):
    """Another program listens on the port."""


_EVERYWHERE = ("", "0.0.0.0", "::")


def page_url(address: Address, port: int) -> str:
    """Return where this machine's browsers find the page of an endpoint."""
    host = "localhost" if address.host in _EVERYWHERE else address.host
    return f"http://{Address(host, port)}/"


class HttpListener:
    """A listener of the interface with its connections.

    Args:
        server: asyncio's, which does not serve yet.
        connections: those that it makes.
    """

    def __init__(self, server: asyncio.Server, connections: Connections) -> None:
        self._server = server
        self.connections = connections

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.sockets[0].getsockname()[1])

    async def serve(self, application: ASGIApp) -> None:
        """Have an application answer."""
        self.connections.serve(application)
        await self._server.start_serving()

    def stop(self) -> None:
        """Listen no more."""
        self._server.close()

    async def aclose(self) -> None:
        """End all connections; answers that are being sent have a moment."""
        await self.connections.aclose()


class PageServer:
    """Serves handlers to browsers of a page.

    Args:
        handlers: of the page's requests.
        keeper: admits clients by address, and counts those turned away.
        state_dir: directory of the token.
    """

    def __init__(self, handlers: Sequence[object], keeper: AccessControl, state_dir: Path) -> None:
        self.handlers = handlers
        self.keeper = keeper
        self._state_dir = state_dir
        self.listeners: list[HttpListener] = []

    async def open_page(self, address: Address) -> int:
        """Serve the page at an address; return the port.

        Raises:
            PortTakenError: another program listens there.
            MasterError: the address or the token cannot be used, or anybody beyond this machine
                could come in.
        """
        try:
            hosts = await self._checked_hosts("the page", address, PAGE_GUARD)
            token = await asyncio.to_thread(kept_token, self._state_dir)
            names = frozenset({address.host.lower(), socket.gethostname().lower()} - {""})
            listener = await self._listen(address, Limits())
        except OSError as error:
            kind = PortTakenError if error.errno == errno.EADDRINUSE else MasterError
            raise kind(f"cannot serve the page on {address}: {reason_of(error)}") from None
        rules = Rules(token, all(map(is_own_machine, hosts)), names, listener.port)
        assets = (*ASSETS, *game_assets())
        await listener.serve(make_application(self.handlers, rules, assets))
        return listener.port

    async def _checked_hosts(self, what: str, address: Address, how_to_guard: str) -> list[str]:
        """Return the hosts of an address; UnguardedError: anybody could come in."""
        hosts = await listening_hosts(address.host or None, address.port)
        try:
            self.keeper.access.by_address().check_endpoint(
                f"{what} on {address}", hosts, how_to_guard
            )
        except EndpointRefusedError as error:
            raise UnguardedError(str(error)) from None
        return hosts

    async def _listen(self, address: Address, limits: Limits) -> HttpListener:
        connections = Connections(self.keeper, limits)
        server = await asyncio.get_running_loop().create_server(
            connections.begin, address.host or None, address.port, backlog=burst_max(),
            start_serving=False,
        )  # fmt: skip
        return self._kept(HttpListener(server, connections))

    def _kept(self, listener: HttpListener) -> HttpListener:
        self.listeners.append(listener)
        return listener

    async def aclose(self) -> None:
        """Listen no more, and end all connections."""
        for listener in self.listeners:
            listener.stop()
        await asyncio.gather(*(listener.aclose() for listener in self.listeners))


class MasterServer(PageServer):
    """Serves a master.

    Args:
        master: carries out requests.
        keeper: admits clients by address, and counts those turned away.
        name: the master's.
        state_dir: the master's.
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
        watching = Watching(master, name)
        self.site = site = Site(
            master, watching, state_dir.absolute(), timeline, keeps_matches=True
        )
        super().__init__(master_handlers(site), keeper, state_dir)
        self._path: Path | None = None

    async def open_socket(self, path: Path, group: str = "") -> None:
        """Serve the master's owner at a Unix socket; one that a killed master left is replaced.

        Args:
            path: of the socket.
            group: whose members are served as the owner is; empty: none.

        Raises:
            MasterError: the socket cannot be made, or another master serves it.
        """
        sock = await asyncio.to_thread(_bound_socket, path, group)
        self._path = path
        connections = Connections(None, OWNER_LIMITS)
        server = await asyncio.get_running_loop().create_unix_server(
            connections.begin, sock=sock, start_serving=False
        )
        await self._kept(HttpListener(server, connections)).serve(make_application(self.handlers))

    async def open_page(self, address: Address) -> int:
        """Serve the page at an address, which clients are told; see PageServer."""
        port = await super().open_page(address)
        self.site.page = page_url(address, port)
        return port

    async def open_metrics(self, address: Address) -> int:
        """Serve numbers for Prometheus at an address, and nothing else; return the port.

        Raises:
            MasterError: the package is missing, the address cannot be used, or anybody beyond this
                machine could read.
        """
        check_installed()
        try:
            await self._checked_hosts("metrics", address, METRICS_GUARD)
            listener = await self._listen(address, METRICS_LIMITS)
        except OSError as error:
            reason = reason_of(error)
            raise MasterError(f"cannot serve metrics on {address}: {reason}") from None
        await listener.serve(make_application([MetricsHandlers(self.site)]))
        return listener.port

    async def aclose(self) -> None:
        """Listen no more; end all streams, connections and background tasks."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        for listener in self.listeners:
            listener.stop()
        await self.site.watching.aclose()
        await super().aclose()
        await self.site.background.aclose()


def master_handlers(site: Site) -> tuple[object, ...]:
    """Return all handlers of a master's interface."""
    return (
        MetricsHandlers(site),
        JobHandlers(site),
        RolloutHandlers(site),
        SearchHandlers(site),
        PositionsHandlers(site),
        MatchesHandlers(site),
        EnginesHandlers(site),
        GameHandlers(site),
        TimelineHandlers(site.timeline),
    )


def _bound_socket(path: Path, group: str = "") -> socket.socket:
    """Return a socket bound to the path, only its owner's and that of a group."""
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES_MAX:
        raise MasterError(f"control socket {path}: the path is too long for a socket")
    owners = _group_number(path, group) if group else None
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _remove_stale(path)
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            sock.bind(os.fspath(path))
            if owners is not None:
                if path.stat().st_gid != owners:  # a unit of systemd may not, and need not
                    os.chown(path, -1, owners)
                path.chmod(0o660)
        except BaseException:
            sock.close()
            raise
        finally:
            os.umask(mask)
        return sock
    except OSError as error:
        raise MasterError(f"control socket {path}: {error.strerror or error}") from None


def _group_number(path: Path, group: str) -> int:
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        raise MasterError(f"control socket {path}: there is no group {group!r}") from None


def _remove_stale(path: Path) -> None:
    """Remove a socket without a listener; MasterError if it has one."""
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)
            return
    raise MasterError(f"control socket {path}: another master is running")
