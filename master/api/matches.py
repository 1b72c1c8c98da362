"""Requests about analysed matches: files handed in, their reports, and what players learn of them.

A report is a page of its own. It runs in a box without an origin (`sandbox`), so that no content of
a file can read the token or anything else of this endpoint; only its one script runs.
"""

from __future__ import annotations

import asyncio
import binascii
from base64 import b64decode, b64encode
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from pydantic import Field
from starlette.responses import Response

from master.api.analyses import (
    RUNNING_MAX,
    Analyses,
    HandedIn,
    MatchAnalysis,
    MatchShown,
    MatchState,
    TooManyMatchesError,
)
from master.api.engines import EngineText, chosen_engine
from master.api.kept_matches import FOLDER, KeptMatches
from master.api.positions import MATCH_BYTES_MAX, Name, handlers_of, refused
from master.api.routing import Operation
from master.api.rules import SECURITY_FIELDS, Need, Refusal, RefusedError
from master.api.site import Site
from master.contract.job_words import JobNumber
from master.contract.shapes import Asked, Count, Shown
from master.contract.views import AnalyserLine
from master.games.errors import AskedError, RecordError
from master.games.handlers import Study
from master.reports.report import Report
from protocol.guards.file_errors import file_error_text

QUIZ_MAX = 50
"""Questions of a quiz."""

BODY_BYTES_MAX = MATCH_BYTES_MAX * 4 // 3 + 4_096
"""Four characters for three bytes, and the names."""

COMMAS_MAX = 1_024
"""In a body: four texts need three, and names have a few.  A list of a million nothings would take
sixty times as much memory as its text."""

BODY_S = 45.0
"""Time limit for an upload: enough for a megabyte over a telephone's line."""

READING_MAX = 2
"""Files that are read at a time: each may take a processor and 256 MiB of a child for half a
minute, and the master has other work."""

RECEIVED_MAX = 8
"""Files on their way and those that wait to be read; each is a megabyte and a half of memory."""

_MATCH = "/api/matches/{match}"


@dataclass(frozen=True, slots=True)
class MatchFile(Asked):
    """A match to analyse: the name of the file, its content in base64, and the depth.

    `engine`: the name or digest of an engine that analysers have; None: the game's own.
    """

    game: Name
    name: Annotated[str, Field(max_length=255)]
    content: str
    level: Name | None = None
    engine: EngineText | None = None


@dataclass(frozen=True, slots=True)
class Matches(Shown):
    """Matches that are analysed or were, oldest first."""

    matches: tuple[MatchShown, ...]


@dataclass(frozen=True, slots=True)
class Profile(Shown):
    """A player's profile, and the number of matches that it is made of.

    `left_out` has a line about each kept match of the player that cannot be read any more.
    """

    game: str
    player: str
    matches: Count
    report: Report
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quiz(Shown):
    """Questions about a player's errors, the largest first; see master.games.handlers.Study.

    `left_out`: as of a profile.
    """

    game: str
    player: str
    matches: Count
    questions: tuple[Report, ...]
    left_out: tuple[str, ...]


def study_of(game: str) -> Study:
    """Return how a game studies players; RefusedError: it does not."""
    matches = handlers_of(game).matches
    if matches is None or matches.study is None:
        text = f"players of {game} are not studied here"
        raise RefusedError(Refusal(422, "unknown-game", text))
    return matches.study


class MatchesHandlers:
    """Answers requests about matches."""

    def __init__(self, site: Site) -> None:
        self._site = site
        store = KeptMatches(site.state_dir / FOLDER) if site.keeps_matches else None
        self._analyses = Analyses(site.master.ask, site.background, store)
        self._readers = ThreadPoolExecutor(READING_MAX, "match-file")

    @Operation("GET", "/api/matches", Need.READING)
    async def matches(self) -> Matches:
        """List the matches that are analysed or were, oldest first."""
        return Matches(tuple(each.shown() for each in self._analyses.all()))

    @Operation(
        "POST", "/api/matches", Need.TOKEN, body_bytes_max=BODY_BYTES_MAX, body_s=BODY_S,
        commas_max=COMMAS_MAX, requests_max=RECEIVED_MAX,
    )  # fmt: skip
    async def hand_in(self, body: MatchFile) -> MatchShown:
        """Have a match analysed; it goes on while other things are asked."""
        try:
            self._analyses.check_room()
            loop = asyncio.get_running_loop()
            analysers = await self._site.master.who() if body.engine else ()
            handed = await loop.run_in_executor(self._readers, read_file, body, analysers)
            analysis = self._analyses.begin(handed)
        except TooManyMatchesError:
            text = f"{RUNNING_MAX} matches are analysed already: wait, or forget one"
            raise RefusedError(Refusal(409, "too-many-matches", text)) from None
        return analysis.shown()

    @Operation("GET", "/api/study/profile", Need.READING)
    async def profile(self, game: str, player: str) -> Profile:
        """Show how a player plays in the newest kept matches, as `manyply profile --json` does."""
        study = study_of(game)
        matches, left_out = await self._studied(study, game, player)
        report = await asyncio.to_thread(study.profile, matches, player)
        return Profile(game, player, len(matches), report, left_out)

    @Operation("GET", "/api/study/quiz", Need.READING)
    async def quiz(self, game: str, player: str) -> Quiz:
        """Ask about the largest errors of a player in the newest kept matches."""
        study = study_of(game)
        matches, left_out = await self._studied(study, game, player)
        questions = await asyncio.to_thread(study.quiz, matches, QUIZ_MAX)
        return Quiz(game, player, len(matches), tuple(questions), left_out)

    async def _studied(
        self, study: Study, game: str, player: str
    ) -> tuple[list[Any], tuple[str, ...]]:
        kept = self._analyses.of_player(game, player)
        return await asyncio.to_thread(self._analyses.studied, kept, study, player)

    @Operation("GET", _MATCH, Need.READING)
    async def match(self, match: JobNumber) -> MatchShown:
        """Show how far a match is analysed."""
        return self._found(match).shown()

    @Operation("GET", f"{_MATCH}/report.html", Need.READING, media="text/html")
    async def match_report(self, match: JobNumber) -> Response:
        """Show the report of a match, one file of HTML."""
        analysis = self._found(match)
        if analysis.state is not MatchState.DONE:
            text = analysis.error or "the match is not analysed yet"
            raise RefusedError(Refusal(409, "no-report", text))
        try:
            page = await asyncio.to_thread(self._analyses.report, analysis)
        except (ValueError, OSError) as error:
            raise RefusedError(Refusal(503, "storage", str(error))) from None
        fields = report_fields(analysis.plan.script)
        return Response(page, headers=fields, media_type="text/html; charset=utf-8")

    @Operation("POST", f"{_MATCH}/forget", Need.TOKEN)
    async def forget_match(self, match: JobNumber) -> MatchShown:
        """Forget a match, and analyse it no further."""
        analysis = self._found(match)
        try:
            self._analyses.forget(analysis)
        except OSError as error:
            text = f"match {match} cannot be deleted: {file_error_text(error)}"
            raise RefusedError(Refusal(503, "storage", text)) from None
        return analysis.shown()

    def _found(self, number: int) -> MatchAnalysis:
        analysis = self._analyses.find(number)
        if analysis is None:
            text = "there is no such match, or no more"
            raise RefusedError(Refusal(404, "unknown-match", text))
        return analysis


def read_file(body: MatchFile, analysers: Sequence[AnalyserLine] = ()) -> HandedIn:
    """Return the match of a body; blocks while the game is loaded and the file is read.

    Args:
        body: of the request.
        analysers: whose engines may be chosen.

    Raises:
        RefusedError: it is none; the text names the expected form.
    """
    name = " ".join(body.name.split()) or "match"
    handlers = handlers_of(body.game).matches
    if handlers is None:
        text = f"matches of {body.game} are not analysed here"
        raise RefusedError(Refusal(422, "unknown-game", text))
    level = handlers.level if body.level is None else body.level
    content = _read_content(body.content)
    try:
        if not body.engine:
            return HandedIn(body.game, name, level, handlers.plan(content, name, level), content)
        if handlers.plan_by is None:
            text = f"{body.game} has one engine: leave out the engine"
            raise RefusedError(Refusal(422, "unknown-engine", text))
        engine = chosen_engine(analysers, body.game, body.engine)
        plan = handlers.plan_by(content, name, level, engine)
        return HandedIn(body.game, name, level, plan, content, engine.name)
    except RecordError as error:
        raise refused("bad-match", error) from None
    except AskedError as error:
        raise refused("bad-question", error) from None


def _read_content(text: str) -> bytes:
    try:
        content = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        text = "content: expected the file in base64"
        raise RefusedError(Refusal(422, "bad-body", text)) from None
    if len(content) > MATCH_BYTES_MAX:
        text = f"expected a file of at most {MATCH_BYTES_MAX} bytes: `manyply analyse` takes more"
        raise RefusedError(Refusal(413, "too-large", text))
    return content


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
