"""Answers requests for a timeline."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from master.web.answering import Site, json_response
from master.web.timeline.resource import timeline_resource


class TimelineHandlers:
    """Answers with a site's timeline."""

    def __init__(self, site: Site) -> None:
        self._shown = site.timeline

    async def timeline(self, request: Request) -> Response:
        """Answer with the news since a cursor."""
        return json_response(timeline_resource(self._shown, request.query_params.get("since")))
