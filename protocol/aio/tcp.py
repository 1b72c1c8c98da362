"""Links over sockets: dial, listen, or take a socket that somebody else opened."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable

from protocol.aio.link import Link
from protocol.connection import Connection

CONNECT_TIMEOUT_S = 10.0
BACKLOG = 1_024  # a whole fleet that reconnects at once; the kernel caps it by somaxconn
LINK_COUNT_MAX = 10_000  # of one listener; further ones are closed at once

OnLink = Callable[[Link], Awaitable[None]]
MakeSide = Callable[[], Connection]


def _address(sock: socket.socket) -> str:
    """Name the other end for people."""
    try:
        name = sock.getpeername()
    except OSError:
        return "unknown"
    if isinstance(name, tuple):
        host, port = name[:2]
        return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return str(name) or "unix"


async def from_socket(sock: socket.socket, side: Connection) -> Link:
    """Bind a core to a connected socket, accepted or inherited, TCP or Unix."""
    if sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    link = Link(side)
    link.peer = _address(sock)
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


class Listener:
    """Accepts links and runs one task for each."""

    def __init__(self, make_side: MakeSide, on_link: OnLink, link_count_max: int) -> None:
        self._make_side = make_side
        self._on_link = on_link
        self._link_count_max = link_count_max
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Host and port of each listening TCP socket."""
        if self._server is None:
            return []
        names = [sock.getsockname() for sock in self._server.sockets]
        return [(name[0], name[1]) for name in names if isinstance(name, tuple)]

    @property
    def port(self) -> int:
        """Port of the first listening TCP socket."""
        return self.addresses[0][1]

    async def start(self, server: asyncio.Server) -> None:
        """Note the server that calls `accept`."""
        self._server = server

    def accept(self) -> asyncio.Protocol:
        """Make the link of a connection just accepted."""
        return _AcceptedLink(self._make_side(), self)

    def run(self, link: Link) -> None:
        """Start the task of a link, or turn it away when there are too many."""
        if len(self._tasks) >= self._link_count_max:
            link.abort()
            return
        task = asyncio.ensure_future(self._serve(link))
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            context = {"message": "a link's task failed", "exception": task.exception()}
            task.get_loop().call_exception_handler(context)

    async def _serve(self, link: Link) -> None:
        try:
            await self._on_link(link)
        finally:
            await link.aclose()

    async def aclose(self) -> None:
        """Listen no more, and cancel the tasks of the links that are left."""
        if self._server is not None:
            self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class _AcceptedLink(Link):
    """A link that reports itself to its listener once it is connected."""

    def __init__(self, side: Connection, listener: Listener) -> None:
        super().__init__(side)
        self._listener = listener

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        sock = transport.get_extra_info("socket")
        if sock is not None:
            self.peer = _address(sock)
        with contextlib.suppress(OSError, AttributeError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self._listener.run(self)


async def serve_socket(
    sock: socket.socket,
    make_side: MakeSide,
    on_link: OnLink,
    link_count_max: int = LINK_COUNT_MAX,
) -> Listener:
    """Accept links on a socket that listens already, TCP or Unix, own or inherited."""
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    listener = Listener(make_side, on_link, link_count_max)
    create = loop.create_unix_server if sock.family == socket.AF_UNIX else loop.create_server
    await listener.start(await create(listener.accept, sock=sock, backlog=BACKLOG))
    return listener


async def serve_tcp(
    host: str | None,
    port: int,
    make_side: MakeSide,
    on_link: OnLink,
    link_count_max: int = LINK_COUNT_MAX,
) -> Listener:
    """Listen on a port (0: any free one) and run `on_link` for each link accepted.

    Raises:
        OSError: the address cannot be used.
    """
    loop = asyncio.get_running_loop()
    listener = Listener(make_side, on_link, link_count_max)
    server = await loop.create_server(listener.accept, host, port, backlog=BACKLOG)
    await listener.start(server)
    return listener
