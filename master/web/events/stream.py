"""Events as the answer to a request, for as long as its reader stays and keeps up.

A deadline of the connection ends a stream whose reader takes no data.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing

from starlette.types import Receive, Scope, Send


class EventStream:
    """Answers with events; an ASGI application of one request.

    Args:
        frames: the events.
        fields: of the answer's head.
    """

    def __init__(self, frames: AsyncGenerator[bytes, None], fields: Mapping[str, str]) -> None:
        self._frames = frames
        self._fields = {"Content-Type": "text/event-stream; charset=utf-8", **fields}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there are no more, or the reader leaves."""
        sending = asyncio.create_task(self._send_all(send))
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        fields = [
            (name.lower().encode("ascii"), value.encode("ascii"))
            for name, value in self._fields.items()
        ]
        await send({"type": "http.response.start", "status": 200, "headers": fields})
        async with aclosing(self._frames):
            async for frame in self._frames:
                await send(_body(frame, is_more=True))
        await send(_body(b"", is_more=False))


def _body(body: bytes, *, is_more: bool) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": is_more}


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
