"""Requests to a master's interface through its Unix socket, by h11; one at a time a connection."""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from os import fspath
from pathlib import Path

import h11

READ_BYTES = 1 << 16
"""Of one read; a stream of answers fills it."""

HOST = "localhost"


class ConnectionEndedError(OSError):
    """The master ended a connection in the middle of an answer."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of an answer."""

    status: int
    media: str


class Connection:
    """One connection, which carries one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)
        self._is_over = False

    @classmethod
    async def open(cls, path: Path) -> Connection:
        """Connect; OSError."""
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.setblocking(False)
            await asyncio.get_running_loop().sock_connect(sock, fspath(path))
            return cls(*await asyncio.open_unix_connection(sock=sock))
        except BaseException:
            sock.close()
            raise

    @property
    def can_go_on(self) -> bool:
        """Whether a further request can be sent: the master has not ended the connection.

        The system is asked, for a loop that was busy has not read the end.
        """
        if self._is_over or self._http.our_state is not h11.IDLE:
            return False
        poll = select.poll()
        poll.register(self._writer.get_extra_info("socket").fileno(), select.POLLIN)
        return not poll.poll(0)

    async def send(self, method: str, path: str, body: bytes) -> None:
        """Send a request; OSError."""
        fields = [("Host", HOST), ("Content-Length", str(len(body)))]
        if body:
            fields.append(("Content-Type", "application/json"))
        request = h11.Request(method=method, target=path, headers=fields)
        self._writer.write(self._http.send(request) or b"")
        if body:
            self._writer.write(self._http.send(h11.Data(data=body)) or b"")
        self._http.send(h11.EndOfMessage())
        with suppress(ConnectionError):  # a refusal may have come before the end of the body
            await self._writer.drain()

    async def head(self) -> Head:
        """Return the head of the answer; OSError."""
        event = await self._next()
        if not isinstance(event, h11.Response):
            raise ConnectionEndedError("the connection ended")
        fields = dict(event.headers)
        return Head(event.status_code, fields.get(b"content-type", b"").decode("latin-1"))

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body of the answer as it comes; OSError."""
        while True:
            event = await self._next()
            if isinstance(event, h11.Data):
                yield bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                raise ConnectionEndedError("the connection ended")
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        else:
            self._is_over = True

    async def _next(self) -> object:
        """Return the next event; OSError."""
        try:
            while (event := self._http.next_event()) is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(READ_BYTES))
        except h11.RemoteProtocolError as error:
            raise ConnectionEndedError(str(error)) from None
        return event

    def abort(self) -> None:
        """End at once; a request that is being carried out is cancelled by it."""
        self._is_over = True
        self._writer.transport.abort()


class Connections:
    """The connections to one socket: those between two requests are used again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: list[Connection] = []

    @asynccontextmanager
    async def using(self) -> AsyncIterator[Connection]:
        """Yield a connection for one request; OSError: there is none."""
        connection = None
        while self._idle and connection is None:
            kept = self._idle.pop()
            if kept.can_go_on:
                connection = kept
            else:
                kept.abort()
        connection = connection or await Connection.open(self._path)
        try:
            yield connection
        finally:
            if connection.can_go_on:
                self._idle.append(connection)
            else:
                connection.abort()

    def close(self) -> None:
        """End those that are kept."""
        while self._idle:
            self._idle.pop().abort()
