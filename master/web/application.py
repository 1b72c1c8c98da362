"""The web endpoint as an ASGI application: it checks requests, calls the master, and answers.

The access rules are in rules.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from http import HTTPStatus
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as StarletteRoute
from starlette.types import Receive, Scope, Send

from master.contract.errors import MasterError
from master.store.errors import JobBusyError, StoreError, UnknownJobError
from master.web import openapi
from master.web.answering import (
    Respond,
    Site,
    json_response,
    refused_response,
    request_body,
    request_job,
)
from master.web.asking import RefusedError, read_body, read_priority, read_trials
from master.web.assets import ASSETS, Asset
from master.web.events.stream import EventStream
from master.web.games.kinds import game_assets
from master.web.handler_table import HANDLER_TABLE
from master.web.resources import analyser_resources, job_page, job_resource
from master.web.route import Route
from master.web.routes import ROUTES
from master.web.rules import SECURITY_FIELDS, Head, Need, Refusal, cookie_name

CALL_S = 60.0
"""Time limit for the master, as to store the rest of a halted job."""

PASS_S = 30 * 24 * 3_600
"""A month's visits; the token that it is made from lasts as long as its file."""


def make_application(site: Site) -> Starlette:
    """Return the application."""
    answers = Answers(site)
    handler_table = (answers, *(handlers(site) for handlers in HANDLER_TABLE))
    routes = [
        StarletteRoute(
            route.path,
            _Endpoint(partial(answers.answer, route, _responder(route, handler_table))),
            methods=[route.method],
        )
        for route in ROUTES
    ]
    routes += [
        StarletteRoute(asset.path, _Endpoint(partial(answers.asset, asset)), methods=["GET"])
        for asset in (*ASSETS, *game_assets())
    ]
    return Starlette(
        routes=routes, exception_handlers={HTTPException: _on_status, Exception: _on_fault}
    )


def _responder(route: Route, handler_table: Sequence[object]) -> Respond:
    """Return the method that answers a route: the one of its name, of the handlers that has it."""
    found: Respond = next(
        getattr(handlers, route.name) for handlers in handler_table if hasattr(handlers, route.name)
    )
    return found


Change = Callable[[int], Coroutine[Any, Any, None]]
"""An action on one job."""


class _Endpoint:
    """An ASGI application that a request's answer is asked of, which is one itself."""

    def __init__(self, answer: Callable[[Request], Awaitable[Callable[..., Awaitable[None]]]]):
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)


class Answers:
    """Lets requests in, and answers the routes of the master, its jobs and its analysers."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._master = site.master
        self._changing: set[asyncio.Task[None]] = set()

    async def answer(
        self,
        route: Route,
        respond: Respond,
        request: Request,
    ) -> Response | EventStream:
        """Return the answer of a request, or its refusal."""
        refusal = self._site.rules.refusal(self._head(request), route.need)
        if refusal is not None:
            return refused_response(refusal)
        try:
            async with asyncio.timeout(CALL_S):
                return await respond(request)
        except RefusedError as error:
            return refused_response(error.refusal)
        except MasterError as error:
            return refused_response(_to_refusal(error))
        except TimeoutError:
            return refused_response(
                Refusal(503, "too-slow", f"not done within {CALL_S:g} s; it goes on")
            )
        except ClientDisconnect:
            return refused_response(Refusal(400, "gone", "the request ended early"))

    async def asset(self, asset: Asset, request: Request) -> Response:
        """Return a file of the page."""
        refusal = self._site.rules.refusal(self._head(request), Need.NOTHING)
        if refusal is not None:
            return refused_response(refusal)
        return Response(asset.body, media_type=asset.media, headers=SECURITY_FIELDS)

    def _head(self, request: Request) -> Head:
        fields = request.headers
        return Head(
            request.method,
            tuple(fields.getlist("host")),
            fields.get("origin", ""),
            fields.get("sec-fetch-site", ""),
            fields.get("content-type", ""),
            fields.get("authorization", ""),
            request.cookies.get(cookie_name(self._site.port), ""),
        )

    async def health(self, request: Request) -> Response:
        """Answer that the endpoint is open."""
        return Response("ok\n", media_type="text/plain", headers=SECURITY_FIELDS)

    async def document(self, request: Request) -> Response:
        """Answer with the description of all routes."""
        return json_response(openapi.document())

    async def session(self, request: Request) -> Response:
        """Set the cookie that lets one read."""
        read_body(await request_body(request))
        response = json_response({"is_reading": True})
        response.set_cookie(
            cookie_name(self._site.port),
            self._site.rules.token.reading_pass,
            max_age=PASS_S,
            path="/api",
            httponly=True,
            samesite="strict",
        )
        return response

    async def master(self, request: Request) -> Response:
        """Answer with the master and its numbers."""
        return json_response(await self._site.watching.master_resource())

    async def analysers(self, request: Request) -> Response:
        """Answer with all analysers."""
        return json_response({"analysers": analyser_resources(await self._master.who())})

    async def jobs(self, request: Request) -> Response:
        """Answer with all jobs."""
        return json_response({"jobs": [*map(job_resource, await self._master.jobs())]})

    async def job(self, request: Request) -> Response:
        """Answer with one job and its report."""
        return json_response(job_page(await self._master.show(request_job(request))))

    async def halt(self, request: Request) -> Response:
        """Stop a job."""
        return await self._change(request, self._master.halt)

    async def resume(self, request: Request) -> Response:
        """Go on with a job."""
        return await self._change(request, self._master.resume)

    async def forget(self, request: Request) -> Response:
        """Delete a job."""
        return await self._change(request, self._master.forget)

    async def extend(self, request: Request) -> Response:
        """Add trials to a job."""
        job = request_job(request)
        trials = read_trials(await request_body(request))
        await self._to_its_end(self._master.extend(job, trials))
        return json_response({"job": job})

    async def prioritise(self, request: Request) -> Response:
        """Put a job into the background, or back."""
        job = request_job(request)
        priority = read_priority(await request_body(request))
        await self._to_its_end(self._master.prioritise(job, priority))
        return json_response({"job": job})

    async def _change(
        self, request: Request, change: Callable[[int], Coroutine[Any, Any, None]]
    ) -> Response:
        job = request_job(request)
        read_body(await request_body(request))
        await self._to_its_end(change(job))
        return json_response({"job": job})

    async def _to_its_end(self, change: Coroutine[Any, Any, None]) -> None:
        """Await a change, which is carried out though the browser leaves or the time is over."""
        task = asyncio.create_task(change)
        self._changing.add(task)
        task.add_done_callback(self._changing.discard)
        await asyncio.shield(task)

    async def events(self, request: Request) -> Response | EventStream:
        """Answer with events."""
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=SECURITY_FIELDS)
        seen = request.headers.get("last-event-id")
        host = request.client.host if request.client is not None else ""
        return EventStream(self._site.watching.frames(seen, host), SECURITY_FIELDS)


def _to_refusal(error: MasterError) -> Refusal:
    """Return the refusal for an error of a master."""
    if isinstance(error, UnknownJobError):
        return Refusal(404, "unknown-job", str(error))
    if isinstance(error, StoreError) and not isinstance(error, JobBusyError):
        return Refusal(503, "storage", str(error))
    return Refusal(409, "refused", str(error))


async def _on_status(request: Request, error: Exception) -> Response:
    """Answer requests outside the table of routes: no such path, or not by this method."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    code = status.phrase.lower().replace(" ", "-")
    return refused_response(Refusal(status.value, code, status.phrase.lower()), error.headers)


async def _on_fault(request: Request, error: Exception) -> Response:
    """Answer a fault of ours; its traceback is for the log."""
    return refused_response(Refusal(500, "fault", "the master made a mistake; its log says which"))
