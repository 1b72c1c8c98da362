"""Calls an ASGI application as a server does, without a socket."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.types import ASGIApp

from master.api.application import make_application
from master.api.connections import IS_OWNER
from master.api.routing import BoundOperation, operations_of
from master.api.rules import Rules, Token
from master.api.server import master_handlers
from master.api.site import ASSETS, Site
from master.api.watched import game_assets
from master.api.watching import Watching
from tests.master.api.fake_master import FakeMaster
from tests.master.api.handed_in import GAME, POSITION

TOKEN_TEXT = "t" * 43
TOKEN = Token(TOKEN_TEXT)
BEARER = {"authorization": f"Bearer {TOKEN_TEXT}"}
JSON = {"content-type": "application/json"}
PORT = 8642
WATCHED = b'{"game": "threes", "seed": 7, "level": "1"}'
QUERIES = {
    "position": f"?game={GAME}&text={quote(POSITION.text)}",
    "profile": f"?game={GAME}&player=Ann",
    "quiz": f"?game={GAME}&player=Ann",
}


def path_of(endpoint: BoundOperation) -> str:
    """Return a path of an operation: of the first job, or match, or game, or frame."""
    return re.sub(r"{\w+}", "1", endpoint.operation.path) + QUERIES.get(endpoint.name, "")


def site_of(master: FakeMaster, *, interval_s: float = 0.01) -> Site:
    return Site(master, Watching(master, "attic", interval_s), Path("/state"))


def rules_of(*, is_reading_free: bool = True) -> Rules:
    return Rules(TOKEN, is_reading_free, port=PORT)


def operations(master: FakeMaster | None = None) -> list[BoundOperation]:
    """Return all operations of a master's interface."""
    site = site_of(master or FakeMaster())
    return [each for handlers in master_handlers(site) for each in operations_of(handlers)]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    fields: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Call:
    """One request: what the application sends comes into a queue that holds little."""

    received: asyncio.Queue[dict[str, Any]]
    sent: asyncio.Queue[dict[str, Any]]

    def leave(self) -> None:
        self.received.put_nowait({"type": "http.disconnect"})

    async def event(self) -> tuple[str, str, Any]:
        """Return the next event: its name, id and data."""
        message = await self.sent.get()
        lines = message["body"].decode().rstrip("\n").split("\n")
        fields = dict(line.split(": ", 1) for line in lines)
        return fields.get("event", ""), fields.get("id", ""), json.loads(fields.get("data", "null"))


@asynccontextmanager
async def calling(
    app: ASGIApp,
    method: str,
    path: str,
    fields: Mapping[str, str] | None = None,
    pieces: tuple[bytes, ...] = (b"",),
    is_ended: bool = True,
    *,
    is_owner: bool = False,
) -> AsyncIterator[Call]:
    """Begin with a request; at the end its reader has left."""
    headers = {"host": f"127.0.0.1:{PORT}"} | dict(fields or {})
    call = Call(asyncio.Queue(), asyncio.Queue(maxsize=2))
    for index, piece in enumerate(pieces):
        is_more = not is_ended or index + 1 < len(pieces)
        call.received.put_nowait({"type": "http.request", "body": piece, "more_body": is_more})
    scope = {
        "type": "http",
        "method": method,
        "path": path.partition("?")[0],
        "query_string": path.partition("?")[2].encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items() if value],
        "state": {IS_OWNER: is_owner},
    }
    running = asyncio.ensure_future(app(scope, call.received.get, call.sent.put))  # type: ignore[arg-type]
    try:
        yield call
    finally:
        call.leave()
        await running


async def asked(
    app: ASGIApp,
    method: str,
    path: str,
    fields: Mapping[str, str] | None = None,
    *pieces: bytes,
    is_ended: bool = True,
) -> Answer:
    """Return the answer to a request; of one that changes something with all that it takes."""
    if method == "POST" and fields is None:
        fields, pieces = BEARER | JSON, pieces or (b"{}",)
    async with calling(app, method, path, fields, pieces or (b"",), is_ended) as call:
        start = await call.sent.get()
        body = b""
        while True:
            message = await call.sent.get()
            body += message.get("body", b"")
            if not message.get("more_body", False):
                break
    reported = {name.decode().lower(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], reported, body)


def application(*views: Any, is_reading_free: bool = True) -> tuple[FakeMaster, ASGIApp]:
    master = FakeMaster(*views)
    return master, page_of(site_of(master), is_reading_free=is_reading_free)


def page_of(site: Site, *, is_reading_free: bool = True) -> ASGIApp:
    """Return the application of a site's page."""
    rules = rules_of(is_reading_free=is_reading_free)
    return make_application(master_handlers(site), rules, (*ASSETS, *game_assets()))
