"""What stands between a master and an analyser, line by line, and may change what is said."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from tests.daemons.analyser_programs import HERE

Change = Callable[[str], Awaitable[Iterable[str]]]
"""What becomes of a line: those that are passed on in its place."""

LINE_BYTES_MAX = 1 << 20


async def unchanged(line: str) -> Iterable[str]:
    """Pass a line on as it is."""
    return (line,)


@asynccontextmanager
async def between(
    port: int, said: Change = unchanged, asked: Change = unchanged
) -> AsyncIterator[int]:
    """Stand before the analyser at a port; the port to dial instead.

    Args:
        port: the analyser's.
        said: what becomes of a line of the analyser.
        asked: what becomes of a line of the master.
    """
    pumps: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_connection(HERE, port, limit=LINE_BYTES_MAX)
        for source, target, change in ((reader, ours, asked), (theirs, writer, said)):
            pump = asyncio.create_task(_pump(source, target, change))
            pumps.add(pump)
            pump.add_done_callback(pumps.discard)

    server = await asyncio.start_server(serve, HERE, 0, limit=LINE_BYTES_MAX)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter, change: Change) -> None:
    """Pass lines on until either side has gone, and then close the other."""
    try:
        with suppress(ConnectionError):
            while line := (await source.readline()).decode():
                target.writelines(f"{new}\n".encode() for new in await change(line.rstrip("\n")))
                await target.drain()
    finally:
        target.close()
