"""Links over sockets: dial, listen, or take a socket that somebody else opened."""

import asyncio
import contextlib
import socket
from collections.abc import Callable

from protocol.access.doorkeeper import Doorkeeper
from protocol.aio.descriptors import burst_max, is_for_strangers
from protocol.aio.link import Link
from protocol.aio.listener import LINK_COUNT_MAX, Listener, MakeSide, OnLink
from protocol.codec import ANALYSER_CODEC
from protocol.codes import CODES, ReplyCode
from protocol.messages import Error
from protocol.sides import Connection

CONNECT_TIMEOUT_S = 10.0

REFUSED = ANALYSER_CODEC.encode(
    Error(code=ReplyCode.NOT_ALLOWED.value, text=CODES[ReplyCode.NOT_ALLOWED].meaning)
)
"""All that is said to a peer whose address is not let in."""


def name_peer(link: Link, sock: socket.socket) -> None:
    """Tell a link who is at the other end of its socket."""
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


async def from_socket(sock: socket.socket, side: Connection) -> Link:
    """Bind a core to a connected socket, accepted or inherited, TCP or Unix."""
    if sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link = Link(side)
    name_peer(link, sock)
    await bind_socket(sock, link)
    return link


async def bind_socket(sock: socket.socket, link: Link) -> None:
    """Make a connected socket the transport of a link."""
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    if sock.family == socket.AF_UNIX:
        await loop.create_unix_connection(lambda: link, sock=sock)
    else:
        await loop.create_connection(lambda: link, sock=sock)


async def connect_tcp(
    host: str, port: int, side: Connection, local_port: int | None = None
) -> Link:
    """Dial a listening peer, from a fixed source port if one is given.

    Raises:
        OSError: no address of the host answered in CONNECT_TIMEOUT_S (TimeoutError is one).
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
            return await from_socket(sock, side)
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


async def serve_socket(
    sock: socket.socket,
    make_side: MakeSide,
    on_link: OnLink,
    link_count_max: int = LINK_COUNT_MAX,
    may_keep: Callable[[int], bool] = is_for_strangers,
    keeper: Doorkeeper | None = None,
) -> Listener:
    """Accept links on a socket that listens already, TCP or Unix, own or inherited.

    Raises:
        DoorRefusedError: others than this machine reach it, and nothing guards it.
    """
    keeper = keeper or Doorkeeper()
    if sock.family != socket.AF_UNIX:
        host, port = sock.getsockname()[:2]
        keeper.access.check_door(f"port {port}", [host])
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    listener = Listener(make_side, on_link, link_count_max, may_keep, keeper)
    create = loop.create_unix_server if sock.family == socket.AF_UNIX else loop.create_server
    await listener.start(
        await create(lambda: _AcceptedLink(listener), sock=sock, backlog=burst_max())
    )
    return listener


async def serve_tcp(
    host: str | None,
    port: int,
    make_side: MakeSide,
    on_link: OnLink,
    link_count_max: int = LINK_COUNT_MAX,
    may_keep: Callable[[int], bool] = is_for_strangers,
    keeper: Doorkeeper | None = None,
) -> Listener:
    """Listen on a port (0: any free one) and run `on_link` for each link accepted.

    Raises:
        OSError: the address cannot be used.
        DoorRefusedError: others than this machine reach it, and nothing guards it.
    """
    keeper = keeper or Doorkeeper()
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    keeper.access.check_door(f"{host or '*'}:{port}", [str(entry[4][0]) for entry in found])
    listener = Listener(make_side, on_link, link_count_max, may_keep, keeper)
    server = await loop.create_server(
        lambda: _AcceptedLink(listener), host, port, backlog=burst_max()
    )
    await listener.start(server)
    return listener
