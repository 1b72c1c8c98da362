"""Matches that are analysed for the page: some at a time, and kept in files.

A report is a page of its own. It runs in a box without an origin (`sandbox`), so that no content of
a file can read the token or anything else of this endpoint; only its one script runs.
"""

from __future__ import annotations

import asyncio
import binascii
import gzip
import logging
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, TypeVar

from pydantic import Field
from starlette.responses import Response

from master.api.engines import EngineText, chosen_engine
from master.api.kept_matches import FOLDER, KeptMatch, KeptMatches, content_of
from master.api.positions import MATCH_BYTES_MAX, Name, handlers_of, refused
from master.api.routing import Operation
from master.api.rules import SECURITY_FIELDS, Need, Refusal, RefusedError
from master.api.site import Background, Site
from master.contract.errors import MasterError
from master.contract.job_words import JobNumber
from master.contract.questions import AskQuestions
from master.contract.shapes import Asked, Count, Shown
from master.contract.views import AnalyserLine
from master.games.errors import AskedError, RecordError
from master.games.handlers import MatchPlan, MatchReport, StudiedFile, Study
from master.reports.report import Report
from protocol.guards.file_errors import file_error_text

T = TypeVar("T")

_log = logging.getLogger(__name__)

KEPT_MAX = 1_000
"""Matches: each has a description in memory, and a tenth or two of a megabyte in a file."""

HELD_MAX = 20
"""Of these, reports in memory where no file can be written, a tenth of a megabyte for each."""

STUDIED_MAX = 100
"""The newest matches of a player: reading one again takes some hundredths of a second."""

QUIZ_MAX = 50
"""Questions of a quiz."""

RUNNING_MAX = 4
"""At a time: each has the whole fleet's work in some seconds, and all wait for each other."""


class MatchState(StrEnum):
    """How far the analysis of a match is."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class MatchShown(Shown):
    """A match that is analysed, or was.

    Args:
        match: its number.
        game: the game's name.
        name: of its file.
        title: the players.
        level: depth of the analysis.
        engine: the name of another engine that analyses; None: the game's own does.
        state: how far it is.
        warnings: about errors in its file.
        questions: how many are to be answered.
        answered: how many have been.
        summary: of the report, in a line; None: it is not made.
        error: why it failed; None: it did not.
        players: their names, if the game studies players.
        analysed: when, UTC, ISO 8601; None: it is not yet.
        is_kept: its report outlives the master.
    """

    match: Count
    game: str
    name: str
    title: str
    level: str
    engine: str | None
    state: MatchState
    warnings: tuple[str, ...]
    questions: Count
    answered: Count
    summary: str | None
    error: str | None
    players: tuple[str, ...]
    analysed: str | None
    is_kept: bool


class TooManyMatchesError(Exception):
    """No further match can be analysed: too many are already."""


@dataclass(eq=False)
class MatchAnalysis:
    """A match that is analysed, or was.

    Args:
        match: its number.
        game: the game's name.
        name: of its file.
        level: depth of the analysis.
        plan: the questions, and the report made of the answers.
        engine: the name of another engine that analyses; empty: the game's own does.
        file: its content, until it is kept.
    """

    match: int
    game: str
    name: str
    level: str
    plan: MatchPlan
    engine: str = ""
    file: bytes = b""
    state: MatchState = MatchState.RUNNING
    error: str = ""
    answered: set[int] = field(default_factory=set)
    report_gzip: bytes = b""
    summary: str = ""
    analysed: str = ""
    is_kept: bool = False
    is_forgotten: bool = False
    task: asyncio.Task[None] | None = None
    question_count: int = field(init=False)

    def __post_init__(self) -> None:
        """Count the questions, which are dropped at the end."""
        self.question_count = len(self.plan.questions)

    def drop_match(self) -> None:
        """Keep the report, and not the match: of a large file it takes ten times as much."""
        self.plan = replace(self.plan, questions=(), report=_no_report)
        self.file = b""

    def shown(self) -> MatchShown:
        """Return its state."""
        return MatchShown(
            self.match, self.game, self.name, self.plan.title, self.level,
            self.engine or None, self.state,
            self.plan.warnings, self.question_count,
            self.question_count if self.is_kept else len(self.answered), self.summary or None,
            self.error or None, self.plan.players, self.analysed or None, self.is_kept,
        )  # fmt: skip

    def kept(self) -> KeptMatch:
        """Return its description, as it is kept."""
        return KeptMatch(
            self.match, self.game, self.name, self.plan.title, self.plan.players, self.level,
            self.plan.warnings, self.question_count, self.summary, self.analysed, self.plan.script,
            self.engine,
        )  # fmt: skip

    @classmethod
    def of_kept(cls, kept: KeptMatch) -> MatchAnalysis:
        """Return a match that was kept before."""
        plan = MatchPlan(kept.title, kept.warnings, (), _no_report, kept.script, kept.players)
        found = cls(kept.match, kept.game, kept.name, kept.level, plan, kept.engine)
        found.state, found.summary, found.analysed = MatchState.DONE, kept.summary, kept.analysed
        found.question_count, found.is_kept = kept.questions, True
        return found


class Analyses:
    """All of one endpoint.

    Args:
        ask: answers the questions.
        background: runs their tasks.
        store: keeps the matches; None: they are forgotten with the master.
    """

    def __init__(
        self, ask: AskQuestions, background: Background, store: KeptMatches | None = None
    ) -> None:
        self._ask = ask
        self._background = background
        self._store = store
        before = [] if store is None else map(MatchAnalysis.of_kept, store.all())
        self._kept = {each.match: each for each in before}
        self._last = max(self._kept, default=0)

    def all(self) -> list[MatchAnalysis]:
        """Return those that are kept, oldest first."""
        return list(self._kept.values())

    def find(self, match: int) -> MatchAnalysis | None:
        """Return the one of a number, if it is kept."""
        return self._kept.get(match)

    def check_room(self) -> None:
        """Raise TooManyMatchesError if too many are analysed already."""
        running = [one for one in self._kept.values() if one.state is MatchState.RUNNING]
        if len(running) >= RUNNING_MAX:
            raise TooManyMatchesError

    def begin(
        self,
        game: str,
        name: str,
        level: str,
        plan: MatchPlan,
        file: bytes = b"",
        engine: str = "",
    ) -> MatchAnalysis:
        """Begin to analyse a match; the oldest that is not analysed any more makes room.

        Raises:
            TooManyMatchesError: too many are analysed already.
        """
        self.check_room()
        self._make_room()
        self._last += 1
        analysis = MatchAnalysis(self._last, game, name, level, plan, engine, file)
        self._kept[self._last] = analysis
        analysis.task = self._background.begin(_analyse(analysis, self._ask, self._store))
        analysis.task.add_done_callback(_say_fault)
        return analysis

    def _make_room(self) -> None:
        """Forget the oldest matches: of all, and of those in memory alone."""
        ended = [one for one in self._kept.values() if one.state is not MatchState.RUNNING]
        held = [one for one in ended if not one.is_kept]
        for one in ended[: max(0, len(self._kept) - KEPT_MAX + 1)]:
            self._drop(one)
        for one in held[: max(0, len(held) - HELD_MAX + 1)]:
            self._drop(one)

    def _drop(self, analysis: MatchAnalysis) -> None:
        """Forget one, even if its files stay until the next start."""
        try:
            self.forget(analysis)
        except OSError as error:
            _log.warning("match %d cannot be deleted: %s", analysis.match, file_error_text(error))
            self._kept.pop(analysis.match, None)

    def forget(self, analysis: MatchAnalysis) -> None:
        """Forget one; its open questions are cancelled, and its files deleted.

        Raises:
            OSError: its files cannot be deleted, and it stays.
        """
        analysis.is_forgotten = True  # before the question whether it is kept: see _keep
        if analysis.task is not None:
            analysis.task.cancel()
        if analysis.is_kept and self._store is not None:
            self._store.delete(analysis.match)
        self._kept.pop(analysis.match, None)

    def report(self, analysis: MatchAnalysis) -> bytes:
        """Return a finished report; blocks; ValueError or OSError: it cannot be read any more."""
        if analysis.is_kept and self._store is not None:
            return self._store.content(analysis.match).page.encode()
        return gzip.decompress(analysis.report_gzip)

    def studied(self, game: str, player: str) -> list[StudiedFile]:
        """Return the newest kept matches of a player; blocks; errors as of `report`."""
        wanted = " ".join(player.split()).casefold()
        found = [
            one
            for one in self._kept.values()
            if one.is_kept
            and one.game == game
            and wanted in (" ".join(name.split()).casefold() for name in one.plan.players)
        ]
        if self._store is None:
            return []
        return [self._store.studied(one.kept()) for one in found[-STUDIED_MAX:]]


async def _analyse(analysis: MatchAnalysis, ask: AskQuestions, store: KeptMatches | None) -> None:
    """Have a match's questions answered, and make its report; every error is recorded."""

    def note(index: int, answer: str) -> None:
        analysis.answered.add(index)

    try:
        answers = await ask(analysis.plan.questions, on_answer=note)
        report = await asyncio.to_thread(analysis.plan.report, answers)
        analysis.summary, analysis.analysed = report.summary, _now()
        await asyncio.to_thread(_keep, analysis, report.page, answers, store)
        analysis.state = MatchState.DONE
    except (MasterError, RecordError) as error:
        analysis.error = str(error)
    finally:
        if analysis.state is MatchState.RUNNING:
            analysis.state = MatchState.FAILED
            analysis.error = analysis.error or "the master made a mistake; its log says which"
        analysis.drop_match()


def _no_report(answers: Sequence[str]) -> MatchReport:
    raise AssertionError("a match that is not analysed any more has no other report")


def _keep(
    analysis: MatchAnalysis, page: str, answers: list[str], store: KeptMatches | None
) -> None:
    """Keep a match in files, or where that is impossible its report in memory."""
    if store is not None:
        try:
            store.write(analysis.kept(), content_of(page, analysis.file, answers))
        except OSError as error:
            text = f"the report is lost when the master ends: {error.strerror}"
            analysis.plan = replace(analysis.plan, warnings=(*analysis.plan.warnings, text))
        else:
            analysis.is_kept = True
            if analysis.is_forgotten:
                store.delete(analysis.match)
            return
    analysis.report_gzip = gzip.compress(page.encode(), compresslevel=6, mtime=0)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _say_fault(task: asyncio.Task[None]) -> None:
    """Report a bug of ours to the loop's exception handler; no code awaits the task."""
    if not task.cancelled() and (error := task.exception()) is not None:
        reported = {"message": "a match could not be analysed", "exception": error, "task": task}
        task.get_loop().call_exception_handler(reported)


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
    """A player's profile, and the number of matches that it is made of."""

    game: str
    player: str
    matches: Count
    report: Report


@dataclass(frozen=True, slots=True)
class Quiz(Shown):
    """Questions about a player's errors, the largest first; see master.games.handlers.Study."""

    game: str
    player: str
    matches: Count
    questions: tuple[Report, ...]


def study_of(game: str) -> Study:
    """Return how a game studies players; RefusedError: it does not."""
    matches = handlers_of(game).matches
    if matches is None or matches.study is None:
        text = f"players of {game} are not studied here"
        raise RefusedError(Refusal(422, "unknown-game", text))
    return matches.study


async def _studied(work: Callable[[], T]) -> T:
    """Return the result of work in a thread; RefusedError: a kept match cannot be used."""
    try:
        return await asyncio.to_thread(work)
    except RecordError as error:
        raise refused("bad-match", error) from None
    except (ValueError, OSError) as error:
        raise RefusedError(Refusal(503, "storage", str(error))) from None


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
            analysis = self._analyses.begin(
                handed.game, handed.name, handed.level, handed.plan, handed.file, handed.engine
            )
        except TooManyMatchesError:
            text = f"{RUNNING_MAX} matches are analysed already: wait, or forget one"
            raise RefusedError(Refusal(409, "too-many-matches", text)) from None
        return analysis.shown()

    @Operation("GET", "/api/study/profile", Need.READING)
    async def profile(self, game: str, player: str) -> Profile:
        """Show how a player plays in the newest kept matches, as `manyply profile --json` does."""
        study = study_of(game)

        def found() -> Profile:
            files = self._analyses.studied(game, player)
            return Profile(game, player, len(files), study.profile(files, player))

        return await _studied(found)

    @Operation("GET", "/api/study/quiz", Need.READING)
    async def quiz(self, game: str, player: str) -> Quiz:
        """Ask about the largest errors of a player in the newest kept matches."""
        study = study_of(game)

        def found() -> Quiz:
            files = self._analyses.studied(game, player)
            return Quiz(game, player, len(files), tuple(study.quiz(files, player, QUIZ_MAX)))

        return await _studied(found)

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


@dataclass(frozen=True)
class HandedIn:
    """A match from a request.

    Args:
        game: the game's name.
        name: of the file.
        level: depth of the analysis.
        plan: the questions.
        file: its content.
        engine: the name of another engine; empty: the game's own.
    """

    game: str
    name: str
    level: str
    plan: MatchPlan
    file: bytes
    engine: str = ""


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
