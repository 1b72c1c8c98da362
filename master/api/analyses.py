"""The matches that one page has analysed: some at a time, and kept in files."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from master.api.kept_matches import KeptMatch, KeptMatches, content_of
from master.api.site import Background
from master.contract.errors import MasterError
from master.contract.questions import AskQuestions
from master.contract.shapes import Count, Shown
from master.games.errors import RecordError
from master.games.handlers import MatchPlan, MatchReport, Study
from protocol.guards.file_errors import file_error_text

_log = logging.getLogger(__name__)

KEPT_MAX = 1_000
"""Matches: each has a description in memory, and a tenth or two of a megabyte in a file."""

HELD_MAX = 20
"""Of these, reports in memory where no file can be written, a tenth of a megabyte for each."""

STUDIED_MAX = 100
"""The newest matches of a player: reading one again takes some hundredths of a second."""

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
    file: bytes = b""
    engine: str = ""


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

    def begin(self, handed: HandedIn) -> MatchAnalysis:
        """Begin to analyse a match; the oldest that is not analysed any more makes room.

        Raises:
            TooManyMatchesError: too many are analysed already.
        """
        self.check_room()
        self._make_room()
        self._last += 1
        analysis = MatchAnalysis(
            self._last, handed.game, handed.name, handed.level, handed.plan, handed.engine,
            handed.file,
        )  # fmt: skip
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

    def of_player(self, game: str, player: str) -> list[MatchAnalysis]:
        """Return the newest kept matches of a player, oldest first."""
        wanted = _folded(player)
        found = [
            one
            for one in self._kept.values()
            if one.is_kept and one.game == game and wanted in map(_folded, one.plan.players)
        ]
        return found[-STUDIED_MAX:]

    def studied(
        self, kept: Sequence[MatchAnalysis], study: Study, player: str
    ) -> tuple[list[Any], tuple[str, ...]]:
        """Return kept matches as the game studies them; blocks.

        Those that cannot be read any more are left out: the second value has a line about each.
        """
        found, left_out = [], []
        for one in kept:
            assert self._store is not None, "it is in files"
            try:
                found.append(study.read(self._store.studied(one.kept()), player))
            except (ValueError, RecordError) as error:
                left_out.append(str(error))
        return [match for match in found if match is not None], tuple(left_out)


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


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
            text = f"the report is lost when the master ends: {file_error_text(error)}"
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
