"""Answers requests about matches.

A report is a page of its own. It runs in a box without an origin (`sandbox`), so that no content of
a file can read the token or anything else of this endpoint; only its one script runs.
"""

from __future__ import annotations

import asyncio
import gzip
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from master.web.answering import Site, json_response, request_body
from master.web.asking import RefusedError, read_body
from master.web.matches.analyses import (
    RUNNING_MAX,
    Analyses,
    MatchAnalysis,
    TooManyMatchesError,
)
from master.web.matches.reading import (
    BODY_BYTES_MAX,
    read_handed_in,
    read_match_number,
    unknown_match,
)
from master.web.matches.states import MatchState
from master.web.rules import SECURITY_FIELDS, Refusal

BODY_S = 45.0
"""Time limit for an upload: enough for a megabyte over a telephone's line."""

READING_MAX = 2
"""Files that are read at a time: each may take a processor and 256 MiB of a child for half a
minute, and the master has other work."""

RECEIVED_MAX = 8
"""Files that are on their way or wait to be read; each is a megabyte and a half of memory."""


class MatchesHandlers:
    """Answers the routes of matches."""

    def __init__(self, site: Site) -> None:
        self._analyses = Analyses(site.master.ask, site.background)
        self._readers = ThreadPoolExecutor(READING_MAX, "match-file")
        self._received = 0

    async def matches(self, request: Request) -> Response:
        """Answer with all matches."""
        return json_response({"matches": [each.resource() for each in self._analyses.all()]})

    async def hand_in(self, request: Request) -> Response:
        """Begin to analyse a match, and answer with it."""
        if self._received >= RECEIVED_MAX:
            text = f"{RECEIVED_MAX} files are read already: try again in a minute"
            raise RefusedError(Refusal(503, "too-many-files", text))
        self._received += 1
        try:
            self._analyses.check_room()
            body = await request_body(request, BODY_BYTES_MAX, BODY_S)
            loop = asyncio.get_running_loop()
            handed = await loop.run_in_executor(self._readers, read_handed_in, body)
            analysis = self._analyses.begin(handed.game, handed.name, handed.level, handed.plan)
        except TooManyMatchesError:
            text = f"{RUNNING_MAX} matches are analysed already: wait, or forget one"
            raise RefusedError(Refusal(409, "too-many-matches", text)) from None
        finally:
            self._received -= 1
        return json_response(analysis.resource())

    async def match(self, request: Request) -> Response:
        """Answer with one match."""
        return json_response(self._found(request).resource())

    async def match_report(self, request: Request) -> Response:
        """Answer with the report of a match."""
        analysis = self._found(request)
        if analysis.state is not MatchState.DONE:
            text = analysis.error or "the match is not analysed yet"
            raise RefusedError(Refusal(409, "no-report", text))
        page = await asyncio.to_thread(gzip.decompress, analysis.report_gzip)
        fields = report_fields(analysis.plan.script)
        return Response(page, headers=fields, media_type="text/html; charset=utf-8")

    async def forget_match(self, request: Request) -> Response:
        """Forget a match, and answer with how it stood."""
        analysis = self._found(request)
        read_body(await request_body(request))
        self._analyses.forget(analysis)
        return json_response(analysis.resource())

    def _found(self, request: Request) -> MatchAnalysis:
        number = read_match_number(str(request.path_params["match"]))
        analysis = self._analyses.find(number)
        if analysis is None:
            raise unknown_match()
        return analysis


def report_fields(script: str) -> dict[str, str]:
    """Return the fields of a report's answer: its own style, its one script, and no request.

    Browsers open no page that is in a sandbox and asks for a window of its own, so it does not.
    """
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    fields = SECURITY_FIELDS | {"Content-Security-Policy": policy}
    del fields["Cross-Origin-Opener-Policy"]
    return fields
