"""The interface as an ASGI application: it checks requests, answers them, and describes itself.

The access rules are in rules.py.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cached_property, partial
from http import HTTPStatus
from typing import Any

from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from master.api.messages import API_VERSION, Problem
from master.api.routing import (
    JSON,
    Answer,
    BoundOperation,
    Operation,
    adapter,
    json_response,
    operations_of,
    respond,
)
from master.api.rules import (
    SECURITY_FIELDS,
    Head,
    Need,
    Refusal,
    RefusedError,
    Rules,
    cookie_name,
)
from master.api.site import Asset
from master.contract.errors import MasterError
from master.store.errors import JobBusyError, StoreError, UnknownJobError

Schema = dict[str, Any]

_SECURITY: dict[Need, list[Schema]] = {
    Need.NOTHING: [],
    Need.READING: [{}, {"token": []}, {"pass": []}],
    Need.TOKEN: [{"token": []}],
}
"""Reading needs no permission if the endpoint is open to this machine alone. Through the Unix
socket, which only its owner can open, no request needs a permission."""


def document(endpoints: Iterable[BoundOperation]) -> Schema:
    """Return the document."""
    endpoints = tuple(endpoints)
    schemas, definitions = _schemas(endpoints)
    paths: dict[str, Schema] = {}
    for each in endpoints:
        described = _described(each, schemas)
        paths.setdefault(each.operation.path, {})[each.operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "manyply master",
            "version": API_VERSION,
            "description": "Jobs, questions, analysers, positions and matches of one master; every"
            " error is one line with a code.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "pass": {"type": "apiKey", "in": "cookie", "name": "manyply-web-PORT"},
            },
        },
    }


def _schemas(endpoints: tuple[BoundOperation, ...]) -> tuple[dict[Any, Schema], Schema]:
    """Return the schema of each type, and the named ones that these refer to."""
    wanted: dict[tuple[Any, str], TypeAdapter[Any]] = {}
    for each in endpoints:
        found = each.signature
        if found.answer is not None:
            wanted[found.answer, "serialization"] = adapter(found.answer)
        if found.body is not None:
            wanted[found.body, "validation"] = adapter(found.body)
        for kind in (*found.parts.values(), *found.query.values()):
            wanted[kind, "validation"] = adapter(kind)
    wanted[Problem, "serialization"] = adapter(Problem)
    inputs: list[Any] = [(kind, mode, reader) for (kind, mode), reader in wanted.items()]
    found_schemas, rest = TypeAdapter.json_schemas(
        inputs, ref_template="#/components/schemas/{model}"
    )
    return {kind: schema for (kind, _), schema in found_schemas.items()}, rest["$defs"]


def _described(endpoint: BoundOperation, schemas: dict[Any, Schema]) -> Schema:
    operation, signature = endpoint.operation, endpoint.signature
    made: Schema = {"type": "object" if operation.media == JSON else "string"}
    answer = made if signature.answer is None else schemas[signature.answer]
    described: Schema = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "security": _SECURITY[operation.need],
        "responses": {
            "200": {"description": "Done.", "content": {operation.media: {"schema": answer}}},
            "default": {
                "description": "Refused.",
                "content": {JSON: {"schema": schemas[Problem]}},
            },
        },
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schemas[kind]}
        for name, kind in signature.parts.items()
    ]
    parameters += [
        {"name": name, "in": "query", "schema": schemas[kind]}
        for name, kind in signature.query.items()
    ]
    if parameters:
        described["parameters"] = parameters
    if signature.body is not None:
        body = {"schema": schemas[signature.body]}
        described["requestBody"] = {"required": True, "content": {JSON: body}}
    return described


CALL_S = 60.0
"""Time limit for the master, as to store the rest of a halted job."""

PASS_S = 30 * 24 * 3_600
"""A month's visits; the token that it is made from lasts as long as its file."""


def make_application(
    handlers: Iterable[object], rules: Rules | None = None, assets: Iterable[Asset] = ()
) -> Starlette:
    """Return the application.

    Args:
        handlers: their operations are answered.
        rules: of access; None: the endpoint itself lets in only clients that may do everything.
        assets: the files of a page.
    """
    gate = Gate(rules)
    found = [each for handler in handlers for each in operations_of(handler)]
    if rules is not None:
        found += operations_of(SessionHandlers(rules))
    found += operations_of(DocumentHandlers(found))
    routes = [
        Route(
            each.operation.path,
            _Endpoint(partial(gate.answer, each)),
            methods=[each.operation.method],
        )
        for each in found
    ]
    routes += [
        Route(asset.path, _Endpoint(partial(gate.asset, asset)), methods=["GET"])
        for asset in assets
    ]
    application = Starlette(
        routes=routes, exception_handlers={HTTPException: _on_status, Exception: _on_fault}
    )
    application.router.redirect_slashes = False  # it would answer without the rules of access
    return application


class _Endpoint:
    """An ASGI application: it finds the answer to a request, and sends it."""

    def __init__(self, answer: Callable[[Request], Awaitable[Answer]]):
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._answer(Request(scope, receive))
        await response(scope, receive, send)


class Gate:
    """Lets requests in, and turns errors into refusals."""

    def __init__(self, rules: Rules | None) -> None:
        self._rules = rules

    async def answer(self, endpoint: BoundOperation, request: Request) -> Answer:
        """Return the answer to a request, or its refusal."""
        refusal = self._refusal(request, endpoint.operation.need)
        if refusal is not None:
            return refused_response(refusal)
        try:
            async with asyncio.timeout(CALL_S):
                return await respond(endpoint, request)
        except RefusedError as error:
            return refused_response(error.refusal)
        except MasterError as error:
            return refused_response(_to_refusal(error))
        except TimeoutError:
            text = f"not done within {CALL_S:g} s; it goes on"
            return refused_response(Refusal(503, "too-slow", text))
        except ClientDisconnect:
            return refused_response(Refusal(400, "gone", "the request ended early"))

    async def asset(self, asset: Asset, request: Request) -> Response:
        """Return a file of the page."""
        refusal = self._refusal(request, Need.NOTHING)
        if refusal is not None:
            return refused_response(refusal)
        return Response(asset.body, media_type=asset.media, headers=SECURITY_FIELDS)

    def _refusal(self, request: Request, need: Need) -> Refusal | None:
        if self._rules is None:
            return None
        fields = request.headers
        head = Head(
            request.method,
            tuple(fields.getlist("host")),
            fields.get("origin", ""),
            fields.get("sec-fetch-site", ""),
            fields.get("content-type", ""),
            fields.get("authorization", ""),
            request.cookies.get(cookie_name(self._rules.port), ""),
        )
        return self._rules.refusal(head, need)


class SessionHandlers:
    """Answers requests of browsers for a pass."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    @Operation("POST", "/api/session", Need.TOKEN)
    async def session(self) -> Response:
        """Trade the token for a cookie that lets one read."""
        response = JSONResponse({"is_reading": True}, headers=SECURITY_FIELDS)
        response.set_cookie(
            cookie_name(self._rules.port),
            self._rules.token.reading_pass,
            max_age=PASS_S,
            path="/api",
            httponly=True,
            samesite="strict",
        )
        return response


class DocumentHandlers:
    """Describes the operations of an application."""

    def __init__(self, described: Sequence[BoundOperation]) -> None:
        self._described = described

    @Operation("GET", "/api/openapi.json", Need.NOTHING)
    async def document(self) -> Response:
        """Describe all of this."""
        return JSONResponse(self._document, headers=SECURITY_FIELDS)

    @cached_property
    def _document(self) -> dict[str, object]:
        return document((*self._described, *operations_of(self)))


def refused_response(refusal: Refusal, fields: dict[str, str] | None = None) -> Response:
    """Return the answer with the reason of a refusal."""
    problem = Problem(refusal.code, refusal.text)
    return json_response(adapter(Problem).dump_json(problem), refusal.status, fields)


def _to_refusal(error: MasterError) -> Refusal:
    """Return the refusal for an error of a master."""
    if isinstance(error, UnknownJobError):
        return Refusal(404, "unknown-job", str(error))
    if isinstance(error, StoreError) and not isinstance(error, JobBusyError):
        return Refusal(503, "storage", str(error))
    return Refusal(409, "refused", str(error))


async def _on_status(request: Request, error: Exception) -> Response:
    """Answer requests without an operation: no such path, or not by this method."""
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    code = status.phrase.lower().replace(" ", "-")
    refusal = Refusal(status.value, code, status.phrase.lower())
    return refused_response(refusal, dict(error.headers or {}))


async def _on_fault(request: Request, error: Exception) -> Response:
    """Answer a fault of ours; its traceback is for the log."""
    return refused_response(Refusal(500, "fault", "the master made a mistake; its log says which"))
