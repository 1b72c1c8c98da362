"""Server-sent events (HTML standard, section 9.2) as the answer to a request.

A stream ends when its reader leaves; a deadline of the connection ends one that takes no data.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.types import Receive, Scope, Send

from master.api.rules import SECURITY_FIELDS

LEFT = "left"
"""Key of a request's state: an event that is set once the client sends no more."""


def frame(name: str, body: bytes, number: str = "") -> bytes:
    """Return one event with JSON, which is one line and so needs no care for line ends."""
    numbered = f"id: {number}\n" if number else ""
    return f"event: {name}\n{numbered}data: ".encode() + body + b"\n\n"


DONE = frame("done", b"{}")
"""The last event of a stream that ends by itself."""


class EventStream:
    """Answers with events; an ASGI application of one request.

    Args:
        frames: the events.
    """

    def __init__(self, frames: AsyncGenerator[bytes, None]) -> None:
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there are no more, or the reader leaves."""
        fields = {"Content-Type": "text/event-stream; charset=utf-8", **SECURITY_FIELDS}
        headers = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        sending = asyncio.create_task(self._send_events(send))
        leaving = asyncio.create_task(_disconnected(receive))
        left: asyncio.Event | None = scope.get("state", {}).get(LEFT)
        ending = asyncio.create_task(left.wait()) if left is not None else leaving
        tasks = {sending, leaving, ending}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if sending.done():
                sending.result()
        finally:
            has_left = leaving.done()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not has_left:
            await send(_body(b"", is_more=False))

    async def _send_events(self, send: Send) -> None:
        async with aclosing(self._frames):
            async for event in self._frames:
                await send(_body(event, is_more=True))
                await asyncio.sleep(0)  # others go on, whether or not the events wait for anything


def _body(body: bytes, *, is_more: bool) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": is_more}


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
