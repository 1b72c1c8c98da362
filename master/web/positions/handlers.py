"""Answers requests about positions; the games' handlers read them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from master.contract.views import JobRequest
from master.games.errors import AskedError
from master.games.table import GAMES
from master.web.answering import Site, json_response, request_body
from master.web.asking import RefusedError
from master.web.positions.reading import Wanted, handlers_of, read_position, read_wanted, refused
from master.web.positions.resources import game_resource, position_resource
from master.web.rules import Refusal

BODY_BYTES_MAX = 16_384
"""A long game that leads to a position, and settings."""

ASK_S = 50.0
"""Time limit for an answer: shorter than a request's, so that the error has a reason."""

ASKED_MAX = 16
"""Questions at a time: some people with some windows."""


class PositionsHandlers:
    """Answers the routes of positions."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._asked = 0

    async def games(self, request: Request) -> Response:
        """Answer with all games and their actions; they are loaded for it."""

        def resources() -> list[object]:
            return [game_resource(game, handlers_of(game)) for game in GAMES]

        return json_response({"games": await asyncio.to_thread(resources)})

    async def position(self, request: Request) -> Response:
        """Answer with a position."""
        game = request.query_params.get("game", "")
        text = request.query_params.get("text", "")

        def resource() -> object:
            return position_resource(game, *read_position(game, text))

        return json_response(await asyncio.to_thread(resource))

    async def ask(self, request: Request) -> Response:
        """Answer with the report of a question."""
        body = await request_body(request, BODY_BYTES_MAX)
        wanted = await asyncio.to_thread(read_wanted, body, is_job=False)
        if self._asked >= ASKED_MAX:
            text = f"{ASKED_MAX} questions wait for answers already"
            raise RefusedError(Refusal(503, "too-many-questions", text))
        self._asked += 1
        try:
            return json_response(await self._answered(wanted))
        finally:
            self._asked -= 1

    async def _answered(self, wanted: Wanted) -> object:
        ask = wanted.action.ask
        assert ask is not None, "it is a question"
        try:
            async with asyncio.timeout(ASK_S):
                report = await ask(self._site.master.ask, wanted.position, wanted.settings)
        except AskedError as error:
            raise refused("bad-question", error) from None
        except TimeoutError:
            text = f"no answer within {ASK_S:g} s: are analysers ready?"
            raise RefusedError(Refusal(503, "too-slow", text)) from None
        return {
            "game": wanted.game,
            "position": wanted.handlers.text(wanted.position),
            "action": wanted.action.name,
            "report": report,
        }

    async def start(self, request: Request) -> Response:
        """Start a job, and answer with its number."""
        body = await request_body(request, BODY_BYTES_MAX)
        job = await asyncio.to_thread(_job_of, body)
        submitting = self._site.background.begin(self._site.master.submit(job))
        return json_response({"job": await asyncio.shield(submitting)})


def _job_of(body: bytes) -> JobRequest:
    """Return the job that a body asks for; blocks while the engine is loaded."""
    wanted = read_wanted(body, is_job=True)
    make = wanted.action.job
    assert make is not None, "it is a job"
    try:
        job = make(wanted.position, wanted.settings)
    except AskedError as error:
        raise refused("bad-question", error) from None
    return replace(job, label=wanted.label) if wanted.label else job
