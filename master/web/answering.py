"""Shared parts of all answers of the web endpoint: the site, a request's parts, JSON, refusals."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from master.contract.page_master import PageMaster
from master.timeline.showing import NOTHING_SHOWN, ShownTimeline
from master.web.asking import BODY_BYTES_MAX, RefusedError, read_job
from master.web.events.frames import to_json
from master.web.events.stream import EventStream
from master.web.events.watching import Watching
from master.web.rules import SECURITY_FIELDS, Refusal, Rules

BODY_S = 5.0
"""Time limit for the body of a request; it has the length of a line."""

T = TypeVar("T")

Respond: TypeAlias = Callable[[Request], Awaitable[Response | EventStream]]
"""Returns the answer to a request; RefusedError, MasterError: the reason for none."""


class Background:
    """Tasks that go on after their request was answered, or its browser has left."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Return the task that carries work out; it ends with the endpoint, if not before."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def aclose(self) -> None:
        """End all that goes on."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(frozen=True)
class Site:
    """The master that the application serves, and its settings.

    Args:
        master: carries requests out.
        watching: follows the master.
        rules: access rules.
        port: the endpoint's, part of the cookie's name.
        timeline: the timeline to show.
        background: tasks that outlive their request.
    """

    master: PageMaster
    watching: Watching
    rules: Rules
    port: int = 0
    timeline: ShownTimeline = NOTHING_SHOWN
    background: Background = field(default_factory=Background)


def request_job(request: Request) -> int:
    """Return the number of the job of a request's path; RefusedError."""
    return read_job(str(request.path_params["job"]))


async def request_body(
    request: Request, bytes_max: int = BODY_BYTES_MAX, within_s: float | None = None
) -> bytes:
    """Return a request's body; RefusedError: it is too long, or too long on its way.

    Args:
        request: the request.
        bytes_max: of the body.
        within_s: time limit; None: BODY_S.
    """
    seconds = BODY_S if within_s is None else within_s
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for piece in request.stream():
                body += piece
                if len(body) > bytes_max:
                    text = f"expected at most {bytes_max} bytes"
                    raise RefusedError(Refusal(413, "too-large", text))
    except TimeoutError:
        text = f"expected the body within {seconds:g} s"
        raise RefusedError(Refusal(408, "too-slow", text)) from None
    return bytes(body)


def json_response(
    content: object, status: int = 200, fields: Mapping[str, str] | None = None
) -> Response:
    """Return the answer with a value."""
    headers = SECURITY_FIELDS | dict(fields or {})
    return Response(to_json(content), status, headers, media_type="application/json")


def refused_response(refusal: Refusal, fields: Mapping[str, str] | None = None) -> Response:
    """Return the answer with the reason of a refusal."""
    return json_response({"code": refusal.code, "text": refusal.text}, refusal.status, fields)
