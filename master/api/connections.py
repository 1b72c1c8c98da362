"""The connections of an endpoint: uvicorn's, with access control and deadlines."""

from __future__ import annotations

import asyncio
import select
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from master.api.streams import LEFT
from protocol.aio.descriptors import is_for_owner, is_for_strangers
from protocol.codes import ReplyCode
from protocol.guards.access_control import AccessControl

CONNECTIONS_MAX = 128
"""At a time: a browser opens six for a host, and keeps one for events.  For a further one that ends
which has waited longest for a request; where all are being answered, the further one does."""

HEAD_BYTES_MAX = 16_384
"""Of a request's head: a browser with the cookies of all ports of a host sends some thousand."""

HEAD_S = 10.0
"""Time limit for a request's head, from the connection or from its first byte."""

STALLED_S = 30.0
"""Time after which a reader that takes no data, though there is some, has gone or hangs."""

IDLE_S = 30.0
"""Time that a connection is kept between two requests."""

IS_OWNER = "is_owner"
"""Key of a request's state: whether the client is the master's owner."""

CLOSING_S = 2.0
"""Time limit at the end for answers that are being sent."""

ENDING_S = 0.5
"""Time limit for streams to end after that; any other answer is cut off."""


@dataclass(frozen=True)
class Limits:
    """Limits of an endpoint's connections.

    Args:
        connections_max: at a time.
        head_s: how long a head may take.
        stalled_s: how long a reader may take no data; None: as long as it likes.
    """

    connections_max: int = CONNECTIONS_MAX
    head_s: float = HEAD_S
    stalled_s: float | None = STALLED_S


OWNER_LIMITS = Limits(stalled_s=None)
"""A client of the master's owner may be stopped with Ctrl-Z, and goes on later."""


class Connections:
    """All connections of one endpoint.

    Args:
        keeper: admits clients by address, and counts those turned away; None: the endpoint is a
            socket that only the master's owner can open.
        limits: of the connections.
    """

    def __init__(self, keeper: AccessControl | None, limits: Limits = Limits()) -> None:
        self.keeper = keeper
        self.limits = limits
        self.state = ServerState()
        self._served: dict[Visit, None] = {}  # the oldest first
        self._config: Config

    def serve(self, application: ASGIApp) -> None:
        """Have an application answer; before the first connection."""
        self._config = Config(
            application,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",  # errors of strangers fill no log
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=int(IDLE_S),
            h11_max_incomplete_event_size=HEAD_BYTES_MAX,
        )
        self._config.load()

    def begin(self) -> Visit:
        """Return the protocol of a new connection."""
        return Visit(self, self._config)

    def admit(self, visit: Visit, descriptor: int) -> bool:
        """Count a new connection in, for which another may have to end; return whether it stays.

        A peer that connects and sends nothing, or a byte now and then, does not displace a prompt
        client: a client that sends a request at once is not the oldest of those without one.

        Args:
            visit: the connection.
            descriptor: its socket's.
        """
        may_keep = is_for_owner if self.keeper is None else is_for_strangers
        is_full = len(self._served) >= self.limits.connections_max or not may_keep(descriptor)
        if is_full and not self._end_oldest_idle():
            return False
        self._served[visit] = None
        return True

    def forget(self, visit: Visit) -> None:
        """Count a connection out that has ended."""
        self._served.pop(visit, None)

    def _end_oldest_idle(self) -> bool:
        """End a connection that is not being answered: one without any request before others."""
        idle = [visit for visit in self._served if not visit.is_answering]
        ended = next((visit for visit in idle if not visit.has_asked), idle[0] if idle else None)
        if ended is None:
            return False
        self.forget(ended)
        ended.transport.abort()
        return True

    async def aclose(self) -> None:
        """End all connections; answers that are being sent have a moment."""
        for connection in tuple(self.state.connections):
            connection.shutdown()
        tasks = tuple(self.state.tasks)
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_S)
        for visit in tuple(self._served):
            visit.end_stream()
        if tasks:
            await asyncio.wait(tasks, timeout=ENDING_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in tuple(self.state.connections):
            connection.transport.abort()


class Visit(H11Protocol):
    """One connection, which is turned away if its address is not admitted."""

    def __init__(self, connections: Connections, config: Config) -> None:
        self._left = asyncio.Event()
        state = {IS_OWNER: connections.keeper is None, LEFT: self._left}
        super().__init__(config, connections.state, state)
        self._all = connections
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:  # an asyncio.Transport, which uvloop's isn't
        """Begin, unless the peer is turned away."""
        descriptor = transport.get_extra_info("socket").fileno()
        super().connection_made(transport)
        if self._is_refused(transport) or not self._all.admit(self, descriptor):
            transport.abort()
        else:
            self._keep_deadline()

    def _is_refused(self, transport: Any) -> bool:
        """Return whether access control refuses the peer; count the refusal."""
        keeper, peer = self._all.keeper, transport.get_extra_info("peername")
        if keeper is None:
            return False
        host = str(peer[0]) if peer else "unknown"
        refusal = keeper.access.refusal(host)
        if refusal:
            keeper.note(host, ReplyCode.NOT_ALLOWED.value, refusal)
        return bool(refusal)

    def eof_received(self) -> bool:  # type: ignore[override]  # asyncio's may return a truth value
        """Answer a client that has closed its sending side alone, as `nc -N` does.

        A stream ends: on a network, such a client and a client that has left look the same. On a
        Unix socket they differ, so a client that has left gets no answer.
        """
        self._left.set()
        if not self.is_answering or self._has_gone():
            return False
        self.cycle.keep_alive = False
        return True

    def _has_gone(self) -> bool:
        """Whether the peer of a Unix socket has closed it."""
        if self._all.keeper is not None:
            return False
        poll = select.poll()
        descriptor = self.transport.get_extra_info("socket").fileno()
        poll.register(descriptor, select.POLLIN)
        return any(event & select.POLLHUP for _, event in poll.poll(0))

    def end_stream(self) -> None:
        """End the stream that is being sent, if one is."""
        self._left.set()

    @property
    def has_asked(self) -> bool:
        """Whether a whole head of a request has come."""
        return self.cycle is not None

    @property
    def is_answering(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._all.forget(self)
        self._drop_deadline()
        self._drop_stalled()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive bytes; a head that has begun has to end in time."""
        super().data_received(data)
        self._keep_deadline()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._drop_deadline()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Wait for the reader, which has not taken the data sent."""
        super().pause_writing()
        self._drop_stalled()
        if (seconds := self._all.limits.stalled_s) is not None:
            self._stalled = self.loop.call_later(seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on, the reader has taken most of it."""
        self._drop_stalled()
        super().resume_writing()

    def _drop_stalled(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _keep_deadline(self) -> None:
        if self.is_answering or self.transport.is_closing():
            self._drop_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self._all.limits.head_s, self.transport.abort)

    def _drop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
