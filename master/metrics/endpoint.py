"""The server of a master's metrics: `/metrics` and `/healthz`, over HTTP.

They show the amount of work and the number of analysers, nothing of a job. Access control is by
address alone: monitoring programs have no secret of ours.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from master.contract.errors import MasterError, UnguardedError
from master.contract.figures import Figures
from master.metrics.exposition import CONTENT_TYPE, check_installed, to_text
from master.metrics.http import (
    END_OF_HEAD,
    HEAD_BYTES_MAX,
    Request,
    Status,
    read_request,
    to_answer,
)
from protocol.access.rules import EndpointRefusedError
from protocol.address import Address
from protocol.aio.descriptors import is_for_strangers
from protocol.aio.reasons import reason_of
from protocol.aio.tcp import listening_hosts
from protocol.codes import ReplyCode
from protocol.guards.access_control import AccessControl

CONNECTIONS_MAX = 16
"""At a time: a few programs read, each some times a minute.  For a further one the oldest ends."""

EXCHANGE_S = 5.0
"""From the connection to the last byte of the answer; Prometheus itself waits 10 s."""

LINGER_S = 1.0
"""Time to wait for the reader's end: without the wait its late data would discard the answer."""

HOW_TO_GUARD = (
    "give --libwrap, or --open to let everybody read who reaches it or whom --allow names; or serve"
    " metrics on localhost"
)


class MetricsEndpoint:
    """Answers readers of a master's metrics.

    Args:
        read: returns the numbers; MasterError: there are none now.
        keeper: admits clients by address, and counts those turned away.
        exchange_s: how long one reader may take.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[Figures]],
        keeper: AccessControl,
        exchange_s: float = EXCHANGE_S,
    ) -> None:
        self._read = read
        self._keeper = keeper
        self._exchange_s = exchange_s
        self._tasks: dict[asyncio.Task[None], None] = {}  # the oldest first
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None, "it is open"
        return int(self._server.sockets[0].getsockname()[1])

    async def open(self, address: Address) -> None:
        """Listen.

        Raises:
            MasterError: the package is missing, the address cannot be used, or anybody beyond this
                machine could read.
        """
        check_installed()
        host = address.host or None
        try:
            hosts = await listening_hosts(host, address.port)
            self._keeper.access.by_address().check_endpoint(
                f"metrics on {address}", hosts, HOW_TO_GUARD
            )
            self._server = await asyncio.start_server(
                self._accept, host, address.port, limit=HEAD_BYTES_MAX
            )
        except OSError as error:
            reason = reason_of(error)
            raise MasterError(f"cannot serve metrics on {address}: {reason}") from None
        except EndpointRefusedError as error:
            raise UnguardedError(str(error)) from None

    async def aclose(self) -> None:
        """Listen no more, and end the connections that are left."""
        if self._server is not None:
            self._server.close()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin with a connection, or turn it away; not a coroutine, so that the task is ours."""
        peer = writer.get_extra_info("peername")
        sock = writer.get_extra_info("socket")
        host = str(peer[0]) if peer else "unknown"
        refusal = self._keeper.access.refusal(host)
        if refusal:
            self._keeper.note(host, ReplyCode.NOT_ALLOWED.value, refusal)
        if refusal or not is_for_strangers(sock.fileno()):
            writer.transport.abort()
            return
        if len(self._tasks) >= CONNECTIONS_MAX:
            oldest = next(iter(self._tasks))
            del self._tasks[oldest]
            oldest.cancel()
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks[task] = None
        task.add_done_callback(lambda _: self._tasks.pop(task, None))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            try:
                async with asyncio.timeout(self._exchange_s):
                    await self._exchange(reader, writer)
            except TimeoutError:
                writer.write(to_answer(Status.REQUEST_TIMEOUT))
            await _end(reader, writer)
        except OSError:
            pass  # the reader has gone
        finally:
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = await _read_head(reader)
        if isinstance(asked, bytes):
            answer = await self._answer(asked)
        elif asked is None:
            return
        else:
            answer = to_answer(asked)
        writer.write(answer)
        await writer.drain()

    async def _answer(self, head: bytes) -> bytes:
        asked = read_request(head)
        if isinstance(asked, Status):
            return to_answer(asked)
        if asked.path == "/healthz":
            return to_answer(Status.OK, b"ok\n", has_body=asked.has_body)
        if asked.path != "/metrics":
            return to_answer(Status.NOT_FOUND, has_body=asked.has_body)
        return await self._metrics(asked)

    async def _metrics(self, asked: Request) -> bytes:
        try:
            text = to_text(await self._read())
        except MasterError as error:
            return to_answer(Status.UNAVAILABLE, f"{error}\n".encode(), has_body=asked.has_body)
        return to_answer(Status.OK, text, CONTENT_TYPE, has_body=asked.has_body)


async def _read_head(reader: asyncio.StreamReader) -> bytes | Status | None:
    """Return a request's head, how it is refused, or None: the peer left before its end."""
    head = b""
    while END_OF_HEAD.search(head) is None:
        if len(head) > HEAD_BYTES_MAX:
            return Status.TOO_LARGE
        more = await reader.read(HEAD_BYTES_MAX)
        if not more:
            return None
        head += more
    return head


async def _end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """End our side of a connection, and wait for the reader to have the answer and end his."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_S):
            writer.write_eof()
            while await reader.read(HEAD_BYTES_MAX):
                pass
