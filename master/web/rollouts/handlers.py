"""Answers requests for pictures of jobs of trials."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from master.games.table import front_of, load
from master.web.answering import Site, json_response, request_job
from master.web.asking import RefusedError
from master.web.rollouts.resources import convergence_resource, flow_resource
from master.web.rules import CONTENT_SECURITY, SECURITY_FIELDS, Refusal


class Rollouts:
    """The handlers of jobs of trials."""

    def __init__(self, site: Site) -> None:
        self._master = site.master

    async def course(self, request: Request) -> Response:
        """Answer with the course of a job."""
        job = request_job(request)
        convergence = await self._master.convergence(job)
        return json_response(convergence_resource(await self._master.show(job), convergence))

    async def flow(self, request: Request) -> Response:
        """Answer with how results of a job came in."""
        job = request_job(request)
        return json_response(flow_resource(job, await self._master.flow(job)))

    async def board(self, request: Request) -> Response:
        """Answer with a drawing of a job's position."""
        view = await self._master.show(request_job(request))
        place = front_of(view.game).job_board
        if not place or view.search is not None:
            raise RefusedError(Refusal(404, "no-board", "the position of this job is not drawn"))
        try:
            drawing = load(place)(view)
        except ValueError as error:  # the context is of another version
            raise RefusedError(Refusal(404, "no-board", str(error))) from None
        return Response(drawing, media_type="image/svg+xml", headers=drawing_fields(drawing))


def drawing_fields(drawing: str) -> dict[str, str]:
    """Return the fields of a drawing's answer: its own styles are let in, by their digests."""
    styles = re.findall(r"<style>(.*?)</style>", drawing, re.DOTALL)
    digests = [b64encode(sha256(style.encode()).digest()).decode() for style in styles]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    policy = CONTENT_SECURITY.replace("style-src 'self'", f"style-src {allowed}")
    return SECURITY_FIELDS | {"Content-Security-Policy": policy}
