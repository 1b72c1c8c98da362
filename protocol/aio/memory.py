"""Links within one process: real bytes between two cores, no socket.

The analyser of an all-in-one run is linked to the master by such a pair, with the same lines as an
analyser on another machine.
"""

import asyncio
from collections import deque

from protocol.aio.link import Link
from protocol.sides import Connection

_PENDING_HIGH = 1 << 20
"""Bytes on the way before the writer is paused."""

_PENDING_LOW = 1 << 18


class _MemoryTransport:
    """One direction out, delivered by the loop one turn later, as a socket would."""

    def __init__(self, own: Link) -> None:
        self._loop = asyncio.get_running_loop()
        self._own = own
        self._peer: _MemoryTransport | None = None
        self._pending: deque[bytes] = deque()  # bytes for our own link, not yet delivered
        self._pending_bytes = 0
        self._is_eof_pending = False
        self._is_paused = False  # our own link does not read
        self._is_closed = False
        self._is_deliver_due = False
        self._is_peer_paused = False

    def connect(self, peer: "_MemoryTransport") -> None:
        self._peer = peer

    def write(self, data: bytes) -> None:
        if self._peer is not None and not self._is_closed and data:
            self._peer.put(data)

    def put(self, data: bytes) -> None:
        self._pending.append(data)
        self._pending_bytes += len(data)
        if self._pending_bytes > _PENDING_HIGH and not self._is_peer_paused and self._peer:
            self._is_peer_paused = True
            self._peer._own.pause_writing()
        self._deliver_soon()

    def put_eof(self) -> None:
        self._is_eof_pending = True
        self._deliver_soon()

    def pause_reading(self) -> None:
        self._is_paused = True

    def resume_reading(self) -> None:
        self._is_paused = False
        self._deliver_soon()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        if self._peer is not None:
            self._peer.put_eof()
        self._loop.call_soon(self._own.connection_lost, None)

    def abort(self) -> None:
        self.close()

    def _deliver_soon(self) -> None:
        if not self._is_deliver_due and not self._is_paused:
            self._is_deliver_due = True
            self._loop.call_soon(self._deliver)

    def _deliver(self) -> None:
        self._is_deliver_due = False
        while self._pending and not self._is_paused and not self._is_closed:
            data = self._pending.popleft()
            self._pending_bytes -= len(data)
            self._own.data_received(data)
        if self._is_peer_paused and self._pending_bytes <= _PENDING_LOW and self._peer:
            self._is_peer_paused = False
            self._peer._own.resume_writing()
        if self._is_eof_pending and not self._pending and not self._is_closed:
            self._own.eof_received()
            self.close()


def memory_pair(master_side: Connection, analyser_side: Connection) -> tuple[Link, Link]:
    """Bind two cores to each other; return the master's link and the analyser's."""
    master_link, analyser_link = Link(master_side), Link(analyser_side)
    master_end, analyser_end = _MemoryTransport(master_link), _MemoryTransport(analyser_link)
    master_end.connect(analyser_end)
    analyser_end.connect(master_end)
    master_link.peer, analyser_link.peer = "local", "local"
    master_link.attach(master_end)
    analyser_link.attach(analyser_end)
    return master_link, analyser_link
