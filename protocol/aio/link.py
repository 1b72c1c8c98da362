"""A link: one connection core bound to one transport. It carries bytes; the core decides."""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from protocol.aio.timer import Timer
from protocol.aio.turns import turns_of
from protocol.codes import LocalProtocolError
from protocol.events import LinkEvent
from protocol.guards.tls import channel_binding, peer_digest
from protocol.messages import Bye, Message
from protocol.sides import Connection

# Events that wait for their consumer; with more of them, reading pauses. 16 * 4,096 holds a whole
# burst of parts, at about 500 bytes each.
EVENTS_HIGH = 65_536
CLOSE_TIMEOUT_S = 5.0
"""Time for the last bytes to leave; then the transport is cut."""


class Transport(Protocol):
    """The part of an asyncio transport that a link uses."""

    def write(self, data: bytes) -> None:
        """Take bytes, without blocking."""

    def pause_reading(self) -> None:
        """Deliver no more bytes for now."""

    def resume_reading(self) -> None:
        """Deliver bytes again."""

    def close(self) -> None:
        """Send the bytes already written, then close."""

    def abort(self) -> None:
        """Close at once."""


class Link(asyncio.Protocol):
    """Both directions of one connection, for a daemon.

    Iterate over it for events, or use `deliver`. Both end after ProtocolFailed, PeerClosed or
    `aclose`. One consumer only.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.peer = ""
        self.host = ""  # of a peer over TCP: its address alone
        self.certificate = ""  # of a peer that dialled over TLS: the SHA-256 of its certificate
        self._loop = asyncio.get_running_loop()
        self._turns = turns_of(self._loop)
        self._transport: Transport | None = None
        self._events: deque[LinkEvent] = deque()
        self._wakeup = asyncio.Event()  # events arrived, or the end
        # their consumer, if idle
        self._receive_events: Callable[[list[LinkEvent]], None] | None = None
        self._failure: BaseException | None = None  # of that consumer
        self._writable = asyncio.Event()
        self._writable.set()
        self._lost = asyncio.Event()
        self._is_write_paused = False
        self._is_read_paused = False
        self._is_flush_due = False
        self._is_turn_due = False
        self._cut: asyncio.TimerHandle | None = None  # set while the last bytes leave
        self._timer = Timer(self._loop, self._tick)

    # Called by daemons.

    @property
    def is_closed(self) -> bool:
        """The connection is over; events may still wait to be read."""
        is_heard_out = self._lost.is_set() and not self.connection.has_input
        return self.connection.is_closed or is_heard_out

    def send(self, *messages: Message) -> None:
        """Queue messages; all of one turn of the loop leave in one write.

        After the end of the connection messages go nowhere (an analyser's session still keeps
        results), since its last event may not have been read yet.

        Raises:
            LocalProtocolError: a message is not allowed now.
        """
        for message in messages:
            self.connection.send_or_drop(message)
        if not self._is_flush_due:
            self._flush_soon()

    async def drain(self) -> None:
        """Write the queued messages; wait until there is room again or the link is closed."""
        if self._is_flush_due:
            await asyncio.sleep(0)
        await self._writable.wait()

    async def events(
        self, take: Callable[[list[LinkEvent]], None] | None = None
    ) -> list[LinkEvent]:
        """Wait for events; return all that have arrived, an empty list at the end.

        Args:
            take: takes further events meanwhile, as they come; see `deliver`.
        """
        while not self._events and not self.is_closed and self._failure is None:
            self._receive_events = take
            self._wakeup.clear()
            await self._wakeup.wait()
        self._receive_events = None
        events = list(self._events)
        self._events.clear()
        if self._is_read_paused:
            self._watch_input()
        return events

    async def deliver(self, take: Callable[[list[LinkEvent]], None]) -> None:
        """Pass events to `take` until the end, in the same turn of the loop in which they arrive.

        Messages that `take` sends over this link leave in one write after it. Half the processor
        time of a short exchange goes into waking a task, so daemons do not iterate but use this.

        Raises:
            BaseException: any exception of `take`.
        """
        try:
            while (events := await self.events(take)) and self._failure is None:
                take(events)
        finally:
            self._receive_events = None
        if self._failure is not None:
            raise self._failure

    async def __aiter__(self) -> AsyncIterator[LinkEvent]:
        """Iterate over the events of the link, one at a time."""
        while events := await self.events():
            for event in events:
                yield event

    async def aclose(self, reason: str = "") -> None:
        """Send bye, wait for the last bytes to leave (within CLOSE_TIMEOUT_S), and close.

        Before the greeting, and without a transport, no bye can be sent: the connection is cut.
        """
        if self._transport is None:
            self.abort()
        elif not self.connection.is_closed:
            try:
                self.connection.send(Bye(reason=reason))
            except LocalProtocolError:
                self.abort()
        self._flush()
        self._wake()
        try:
            # Unlike wait_for, this never loses a cancellation that comes just as the wait ends.
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._lost.wait()
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """Cut the connection without sending anything."""
        if self._transport is not None:
            self._transport.abort()
        self.connection.drop_input()
        self.connection_lost(None)
        self._end()

    # Called by the transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the core's deadlines and send its first lines."""
        channel = transport.get_extra_info("ssl_object")
        if channel is not None:
            is_server = channel.server_side
            self.connection.bind_channel(channel_binding(channel, is_server=is_server))
            self.certificate = peer_digest(channel) if is_server else ""
        self.attach(transport)  # type: ignore[arg-type]

    def attach(self, transport: Transport) -> None:
        """Bind the link to its transport; if the link is already cut, cut the transport."""
        if self._lost.is_set():
            transport.abort()
            return
        self._transport = transport
        self._watch_input()
        self._tick()

    def data_received(self, data: bytes) -> None:
        """Pass bytes to the core and its events to the consumer, and write the answers.

        In one turn a core handles a limited number of lines, and the loop a limited number of
        links. The rest comes in the next turns, and nothing more is read until then. So neither one
        peer nor very many can delay the others for long.
        """
        if self._turns.may_go_on():
            self._handle(data)
        else:
            self.connection.put(data, self._loop.time())
            self._watch_input()

    def _handle(self, data: bytes) -> None:
        is_flush_due, self._is_flush_due = self._is_flush_due, True
        self._receive(self.connection.receive(data, self._loop.time()))
        self._is_flush_due = is_flush_due
        if not is_flush_due and (self.connection.has_output or self.connection.is_closed):
            self._write()
        connection = self.connection
        is_due = self._is_read_paused or connection.has_input or not connection.is_listening
        if is_due or len(self._events) >= EVENTS_HIGH:
            self._watch_input()
        self._set_timer()

    def eof_received(self) -> bool:
        """Pass the end of the stream to the core."""
        self._receive(self.connection.receive_eof(self._loop.time()))
        self._set_timer()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the transport is gone; the reason makes no difference."""
        if self._lost.is_set():
            return
        self._lost.set()
        self.connection.drop_output()
        if self.connection.has_input:
            self._watch_input()  # lines read before the end are still handled, in turns
        else:
            self._end()

    def pause_writing(self) -> None:
        """Leave further bytes in the core, whose buffer has a limit."""
        self._is_write_paused = True
        self._writable.clear()

    def resume_writing(self) -> None:
        """Write on."""
        self._is_write_paused = False
        self._flush()

    # Internals.

    def _receive(self, events: list[LinkEvent]) -> None:
        take = self._receive_events
        if events and take is not None and not self._events:
            try:
                take(events)
            except BaseException as error:  # raised again where `deliver` was called
                self._receive_events, self._failure = None, error
                self._wake()
        elif events:
            self._events += events
            self._wakeup.set()
        if self.connection.has_output or self.connection.is_closed:
            self._flush_soon()

    def _end(self) -> None:
        """Queue the end for the consumer, after all events already read."""
        self._events += self.connection.receive_eof(self._loop.time())
        self._timer.close()
        if self._cut is not None:
            self._cut.cancel()
        self._wake()

    def _watch_input(self) -> None:
        """Read while no line of the peer waits; ask for a further turn while lines may be handled.

        Unread answers delay the lines of the same peer, not those of others.
        """
        connection = self.connection
        is_full = len(self._events) >= EVENTS_HIGH
        is_ready = connection.has_input and connection.is_listening
        if is_ready and not is_full and not self._is_turn_due:
            self._is_turn_due = True
            self._turns.wait(self._begin_turn)
        is_due = is_full or connection.has_input or not connection.is_listening
        if self._transport is None or self._lost.is_set() or is_due is self._is_read_paused:
            return
        self._is_read_paused = is_due
        # A transport that is ending can no longer be paused; it delivers nothing more either.
        with contextlib.suppress(RuntimeError):
            if is_due:
                self._transport.pause_reading()
            elif not connection.is_closed:
                connection.record_pause(self._loop.time())
                self._transport.resume_reading()
                self._set_timer()

    def _begin_turn(self) -> None:
        self._is_turn_due = False
        self._handle(b"")
        if self._lost.is_set():
            self.connection.drop_output()
            if self.connection.has_input:
                self._watch_input()
            else:
                self._end()

    def _wake(self) -> None:
        self._wakeup.set()
        self._writable.set()

    def _flush_soon(self) -> None:
        if not self._is_flush_due:
            self._is_flush_due = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._is_flush_due = False
        self._write()
        self._set_timer()

    def _write(self) -> None:
        if self._transport is None or self._lost.is_set():
            return
        is_listening = self.connection.is_listening
        while self.connection.has_output and not self._is_write_paused:
            self._transport.write(self.connection.bytes_to_send())
        if self.connection.is_closed:
            self._close_transport()
        if self._is_write_paused or not self.connection.is_writable:
            self._writable.clear()
        elif not self._writable.is_set():
            self._writable.set()
        if not is_listening and self.connection.is_listening:
            self._watch_input()
        if self._is_write_paused and self.connection.has_output:
            self.connection.record_stall(self._loop.time())

    def _close_transport(self) -> None:
        """Close after the last bytes; cut if the peer does not take them in time."""
        self._wake()
        if self._transport is not None and not self.connection.has_output:
            self._transport.close()
        if self._cut is None:
            self._cut = self._loop.call_later(CLOSE_TIMEOUT_S, self.abort)

    def _tick(self) -> None:
        if self._lost.is_set():
            return
        if self._is_read_paused:
            self.connection.record_pause(self._loop.time())
        self._receive(self.connection.tick(self._loop.time()))
        self._set_timer()

    def _set_timer(self) -> None:
        """Schedule a tick; a tick that comes too early only schedules the next one."""
        deadline = self.connection.next_deadline
        if deadline is not None:
            self._timer.set(deadline)
