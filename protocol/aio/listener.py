"""A listener: one task for each accepted link, and limits that keep room for honest peers."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Protocol

from protocol.aio.link import Link
from protocol.aio.reasons import reason_of
from protocol.codes import ReplyCode
from protocol.guards.access_control import AccessControl
from protocol.sides import Connection

LINK_COUNT_MAX = 10_000
"""Links of one listener; beyond it the oldest unsettled link is cut for each new one."""

UNSETTLED_MAX = 2_048
"""Links of one listener that are not settled: twice as many as a fleet of 1,000 that comes back."""

UNSETTLED_OF_ONE_MAX = UNSETTLED_MAX // 2
"""Of these, from one address: a flood from one address leaves room for all others."""

SECURING_MAX = 512
"""Of these, in their TLS handshakes. Each takes 50 kB and, with an honest peer, 5 ms."""

TLS_FAILED = "tls-failed"
"""Counts failed TLS handshakes; the peer gets an alert of TLS."""

OnLink = Callable[[Link], Awaitable[None]]
MakeSide = Callable[[], Connection]


class Handshake(Protocol):
    """A handshake that comes before a link has a transport."""

    async def finish(self) -> None:
        """Perform the handshake; raises OSError."""

    def discard(self) -> None:
        """Close the socket if the handshake has not begun."""


class Listener:
    """Accepts links and runs one task for each.

    Where there is no room for another one, the oldest unsettled link is cut: honest peers settle
    within a moment, and a peer that only holds a descriptor loses it.

    Args:
        make_side: makes the core of a new link.
        on_link: serves a link to its end.
        link_count_max: links at a time.
        may_keep: whether a link may keep its descriptor.
        keeper: decides which peers are allowed, and counts those refused.
    """

    def __init__(
        self,
        make_side: MakeSide,
        on_link: OnLink,
        link_count_max: int,
        may_keep: Callable[[int], bool],
        keeper: AccessControl,
    ) -> None:
        self._make_side = make_side
        self._on_link = on_link
        self._link_count_max = link_count_max
        self._may_keep = may_keep
        self._keeper = keeper
        self._open: set[Link] = set()
        self._unsettled: dict[Link, None] = {}  # oldest first; some have settled since
        self._unsettled_of: defaultdict[str, dict[Link, None]] = defaultdict(dict)  # by address
        self._beyond: set[Link] = set()  # those with descriptors that they may not keep for long
        self._room = link_count_max  # links at a time while there are such
        self._tasks: set[asyncio.Task[None]] = set()
        self._securing: dict[Link, asyncio.Task[None]] = {}  # in their TLS handshakes
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

    def make_side(self) -> Connection:
        """Return the core of a connection just accepted."""
        return self._make_side()

    def lets_in(self, link: Link) -> bool:
        """Whether a peer's address is allowed; a refused peer is counted."""
        reason = self._keeper.access.refusal(link.host) if link.host else ""
        if reason:
            self._keeper.note(link.peer, ReplyCode.NOT_ALLOWED.value, reason)
        return not reason

    def run(self, link: Link, descriptor: int, handshake: Handshake | None = None) -> None:
        """Start the task of a link, or cut the link if there is no room for it.

        Args:
            link: the link.
            descriptor: of its socket.
            handshake: to be finished before the link has a transport; None: there is none.
        """
        self._forget_settled()
        if not self._may_keep(descriptor):
            # The links open now are all there is room for. The next link will get the lower
            # descriptor of the link cut for this one. So until this one ends, descriptors do not
            # show how many are in use.
            self._room = self._room if self._beyond else len(self._open)
            self._beyond.add(link)
        self._make_room_at(link.host)
        is_full = len(self._open) >= (self._room if self._beyond else self._link_count_max)
        if (is_full or len(self._unsettled) >= UNSETTLED_MAX) and not self._drop_oldest():
            self._beyond.discard(link)
            link.abort()
            if handshake is not None:
                handshake.discard()
            return
        self._open.add(link)
        self._unsettled[link] = None
        if link.host:
            self._unsettled_of[link.host][link] = None
        task = asyncio.ensure_future(self._serve(link, handshake))
        if handshake is not None:
            if len(self._securing) >= SECURING_MAX:
                self._drop(next(iter(self._securing)))
            self._securing[link] = task
            task.add_done_callback(lambda _: handshake.discard())
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _forget_settled(self) -> None:
        while self._unsettled:
            link = next(iter(self._unsettled))
            if not link.is_closed and not link.connection.is_settled:
                return
            self._settle(link)

    def _settle(self, link: Link) -> None:
        self._unsettled.pop(link, None)
        of_host = self._unsettled_of.get(link.host, {})
        of_host.pop(link, None)
        if not of_host:
            self._unsettled_of.pop(link.host, None)

    def _make_room_at(self, host: str) -> None:
        """Cut the oldest unsettled link of an address that has reached its limit."""
        of_host = self._unsettled_of.get(host, {})
        if len(of_host) < UNSETTLED_OF_ONE_MAX:
            return
        for link in tuple(of_host):
            if link.is_closed or link.connection.is_settled:
                self._settle(link)
        if len(of_host) >= UNSETTLED_OF_ONE_MAX:
            self._drop(next(iter(of_host)))

    def _drop_oldest(self) -> bool:
        """Cut the oldest link that has not settled; return whether there was one."""
        if not self._unsettled:
            return False
        self._drop(next(iter(self._unsettled)))
        return True

    def _drop(self, link: Link) -> None:
        self._forget(link)
        link.abort()
        if link in self._securing:
            self._securing.pop(link).cancel()

    def _forget(self, link: Link) -> None:
        self._open.discard(link)
        self._beyond.discard(link)
        self._settle(link)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            context = {"message": "a link's task failed", "exception": task.exception()}
            task.get_loop().call_exception_handler(context)

    async def _serve(self, link: Link, handshake: Handshake | None) -> None:
        try:
            if handshake is None or await self._is_secured(link, handshake):
                await self._on_link(link)
        finally:
            self._forget(link)
            await link.aclose()

    async def _is_secured(self, link: Link, handshake: Handshake) -> bool:
        """Finish a TLS handshake; return whether it succeeded."""
        try:
            await handshake.finish()
        except OSError as error:
            self._keeper.note(link.peer, TLS_FAILED, reason_of(error))
            link.abort()
            return False
        finally:
            self._securing.pop(link, None)
        return True

    async def aclose(self) -> None:
        """Stop listening, and cancel the tasks of the remaining links."""
        if self._server is not None:
            self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
