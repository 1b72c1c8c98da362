"""Links over sockets: dial, listen, or take a socket that is already open."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable

from protocol.access.rules import Identity
from protocol.aio.descriptors import burst_max, is_for_strangers
from protocol.aio.link import Link
from protocol.aio.listener import LINK_COUNT_MAX, Listener, MakeSide, OnLink
from protocol.codec import ANALYSER_CODEC
from protocol.codes import CODES, ReplyCode
from protocol.guards.access_control import AccessControl
from protocol.messages import Error
from protocol.sides import Connection

CONNECT_TIMEOUT_S = 10.0
TLS_TIMEOUT_S = 10.0

REFUSED = ANALYSER_CODEC.encode(
    Error(code=ReplyCode.NOT_ALLOWED.value, text=CODES[ReplyCode.NOT_ALLOWED].meaning)
)
"""The only line sent to a peer whose address is not allowed."""


def name_peer(link: Link, sock: socket.socket) -> None:
    """Set the peer's name and address of a link from its socket."""
    try:
        name = sock.getpeername()
    except OSError:
        link.peer = "unknown"
        return
    if isinstance(name, tuple):
        link.host, port = name[:2]
        link.peer = f"[{link.host}]:{port}" if ":" in link.host else f"{link.host}:{port}"
    else:
        link.peer = str(name) or "unix"


async def from_socket(
    sock: socket.socket, side: Connection, tls: Identity | None = None, name: str = ""
) -> Link:
    """Bind a core to a connected socket, accepted or inherited, TCP or Unix.

    Args:
        sock: the socket.
        side: the core.
        tls: this end's identity for TLS; None: no TLS.
        name: the peer's certificate must contain it; empty: this end was dialled.

    Raises:
        OSError: the TLS handshake failed (ssl.SSLError is one).
    """
    if sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link = Link(side)
    name_peer(link, sock)
    await bind_socket(sock, link, tls, name)
    return link


async def bind_socket(
    sock: socket.socket, link: Link, tls: Identity | None = None, name: str = ""
) -> None:
    """Make a connected socket the transport of a link; arguments and errors as of from_socket."""
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    if sock.family == socket.AF_UNIX:
        await loop.create_unix_connection(lambda: link, sock=sock)
    elif tls is None:
        await loop.create_connection(lambda: link, sock=sock)
    elif name:
        await loop.create_connection(
            lambda: link, sock=sock, ssl=tls.client_context(), server_hostname=name,
            ssl_handshake_timeout=TLS_TIMEOUT_S,
        )  # fmt: skip
    else:
        await loop.connect_accepted_socket(
            lambda: link, sock, ssl=tls.server_context(), ssl_handshake_timeout=TLS_TIMEOUT_S
        )


async def connect_tcp(
    host: str,
    port: int,
    side: Connection,
    local_port: int | None = None,
    tls: Identity | None = None,
) -> Link:
    """Dial a listening peer, from a fixed source port if one is given.

    Raises:
        OSError: no address of the host answered in CONNECT_TIMEOUT_S (TimeoutError is one), or the
            TLS handshake failed (ssl.SSLError is one).
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(CONNECT_TIMEOUT_S):
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    last_error = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in found:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.setblocking(False)
            if local_port is not None:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                sock.bind(("", local_port))
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await loop.sock_connect(sock, address)
            return await from_socket(sock, side, tls, host)
        except TimeoutError:
            sock.close()
            last_error = TimeoutError(f"no answer from {host}:{port} in {CONNECT_TIMEOUT_S:.0f} s")
        except OSError as error:
            sock.close()
            last_error = error
        except BaseException:
            sock.close()
            raise
    raise last_error


class _AcceptedLink(Link):
    """A link that reports itself to its listener once it is connected."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(listener.make_side())
        self._listener = listener

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        sock = transport.get_extra_info("socket")
        if sock is not None:
            name_peer(self, sock)
        with contextlib.suppress(OSError, AttributeError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self._listener.lets_in(self):
            transport.write(REFUSED)  # type: ignore[attr-defined]  # it is one that writes
            transport.close()
            return
        super().connection_made(transport)
        self._listener.run(self, -1 if sock is None else sock.fileno())


class _Handshake:
    """The TLS handshake of a connection that was accepted."""

    def __init__(self, sock: socket.socket, link: Link, tls: Identity) -> None:
        self._sock = sock
        self._link = link
        self._tls = tls
        self._is_begun = False

    async def finish(self) -> None:
        """Make the socket the transport of its link; raises OSError."""
        self._is_begun = True
        await bind_socket(self._sock, self._link, self._tls)

    def discard(self) -> None:
        """Close the socket if it has not become a transport."""
        if not self._is_begun:
            self._sock.close()


class _Doorway(asyncio.Protocol):
    """Takes the socket of a connection just accepted away from its transport, for TLS.

    A transport that has begun to read cannot change to TLS without losing bytes. A TLS transport
    made by the loop has no protocol until its handshake is over, which is too late for the limits.
    """

    def __init__(self, listener: Listener, tls: Identity) -> None:
        self._listener = listener
        self._tls = tls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        sock = socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))
        transport.abort()  # type: ignore[attr-defined]  # it is one that writes
        link = Link(self._listener.make_side())
        name_peer(link, sock)
        if self._listener.lets_in(link):
            self._listener.run(link, sock.fileno(), _Handshake(sock, link, self._tls))
        else:
            sock.close()


def _accepting(listener: Listener, keeper: AccessControl) -> Callable[[], asyncio.Protocol]:
    """Return the protocol factory for accepted connections."""
    tls = keeper.access.tls
    if tls is None:
        return lambda: _AcceptedLink(listener)
    return lambda: _Doorway(listener, tls)


async def serve_socket(
    sock: socket.socket,
    make_side: MakeSide,
    on_link: OnLink,
    link_count_max: int = LINK_COUNT_MAX,
    may_keep: Callable[[int], bool] = is_for_strangers,
    keeper: AccessControl | None = None,
) -> Listener:
    """Accept links on a socket that listens already, TCP or Unix, own or inherited.

    Raises:
        EndpointRefusedError: other machines can reach it, and it has no access control.
    """
    keeper = keeper or AccessControl()
    if sock.family != socket.AF_UNIX:
        host, port = sock.getsockname()[:2]
        keeper.access.check_endpoint(f"port {port}", [host])
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    listener = Listener(make_side, on_link, link_count_max, may_keep, keeper)
    create = loop.create_unix_server if sock.family == socket.AF_UNIX else loop.create_server
    await listener.start(await create(_accepting(listener, keeper), sock=sock, backlog=burst_max()))
    return listener


async def listening_hosts(host: str | None, port: int) -> list[str]:
    """Return the addresses of a listener on this host; None or empty: all of this machine.

    Raises:
        OSError: the host has no address.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return [str(entry[4][0]) for entry in found]


async def serve_tcp(
    host: str | None,
    port: int,
    make_side: MakeSide,
    on_link: OnLink,
    link_count_max: int = LINK_COUNT_MAX,
    may_keep: Callable[[int], bool] = is_for_strangers,
    keeper: AccessControl | None = None,
) -> Listener:
    """Listen on a port (0: any free one) and run `on_link` for each link accepted.

    Raises:
        OSError: the address cannot be used.
        EndpointRefusedError: other machines can reach it, and it has no access control.
    """
    keeper = keeper or AccessControl()
    keeper.access.check_endpoint(f"{host or '*'}:{port}", await listening_hosts(host, port))
    loop = asyncio.get_running_loop()
    listener = Listener(make_side, on_link, link_count_max, may_keep, keeper)
    server = await loop.create_server(_accepting(listener, keeper), host, port, backlog=burst_max())
    await listener.start(server)
    return listener
