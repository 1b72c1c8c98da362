"""Matches that are analysed for the page: some at a time, the newest of them kept."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from master.api.site import Background
from master.contract.errors import MasterError
from master.contract.questions import AskQuestions
from master.contract.shapes import Count, Shown
from master.games.errors import RecordError
from master.games.handlers import MatchPlan, MatchReport

KEPT_MAX = 20
"""Matches: their reports stay in memory, packed, a tenth of a megabyte for each."""

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
        state: how far it is.
        warnings: about errors in its file.
        questions: how many are to be answered.
        answered: how many have been.
        summary: of the report, in a line; None: it is not made.
        error: why it failed; None: it did not.
    """

    match: Count
    game: str
    name: str
    title: str
    level: str
    state: MatchState
    warnings: tuple[str, ...]
    questions: Count
    answered: Count
    summary: str | None
    error: str | None


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
    """

    match: int
    game: str
    name: str
    level: str
    plan: MatchPlan
    state: MatchState = MatchState.RUNNING
    error: str = ""
    answered: set[int] = field(default_factory=set)
    report_gzip: bytes = b""
    summary: str = ""
    task: asyncio.Task[None] | None = None
    question_count: int = field(init=False)

    def __post_init__(self) -> None:
        """Count the questions, which are dropped at the end."""
        self.question_count = len(self.plan.questions)

    def drop_match(self) -> None:
        """Keep the report, and not the match: of a large file it takes ten times as much."""
        self.plan = replace(self.plan, questions=(), report=_no_report)

    def shown(self) -> MatchShown:
        """Return its state."""
        return MatchShown(
            self.match, self.game, self.name, self.plan.title, self.level, self.state,
            self.plan.warnings, self.question_count, len(self.answered), self.summary or None,
            self.error or None,
        )  # fmt: skip


class Analyses:
    """All of one endpoint.

    Args:
        ask: answers the questions.
        background: runs their tasks.
    """

    def __init__(self, ask: AskQuestions, background: Background) -> None:
        self._ask = ask
        self._background = background
        self._kept: dict[int, MatchAnalysis] = {}
        self._last = 0

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

    def begin(self, game: str, name: str, level: str, plan: MatchPlan) -> MatchAnalysis:
        """Begin to analyse a match; the oldest that is not analysed any more makes room.

        Raises:
            TooManyMatchesError: too many are analysed already.
        """
        self.check_room()
        while len(self._kept) >= KEPT_MAX:
            ended = (one for one in self._kept.values() if one.state is not MatchState.RUNNING)
            del self._kept[next(ended).match]
        self._last += 1
        analysis = MatchAnalysis(self._last, game, name, level, plan)
        self._kept[self._last] = analysis
        analysis.task = self._background.begin(_analyse(analysis, self._ask))
        analysis.task.add_done_callback(_say_fault)
        return analysis

    def forget(self, analysis: MatchAnalysis) -> None:
        """Forget one; its open questions are cancelled."""
        self._kept.pop(analysis.match, None)
        if analysis.task is not None:
            analysis.task.cancel()


async def _analyse(analysis: MatchAnalysis, ask: AskQuestions) -> None:
    """Have a match's questions answered, and make its report; every error is recorded."""

    def note(index: int, answer: str) -> None:
        analysis.answered.add(index)

    try:
        answers = await ask(analysis.plan.questions, on_answer=note)
        packed = await asyncio.to_thread(_packed, analysis.plan, answers)
        analysis.report_gzip, analysis.summary = packed
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


def _packed(plan: MatchPlan, answers: list[str]) -> tuple[bytes, str]:
    report = plan.report(answers)
    return gzip.compress(report.page.encode(), compresslevel=6, mtime=0), report.summary


def _say_fault(task: asyncio.Task[None]) -> None:
    """Report a bug of ours to the loop's exception handler; no code awaits the task."""
    if not task.cancelled() and (error := task.exception()) is not None:
        reported = {"message": "a match could not be analysed", "exception": error, "task": task}
        task.get_loop().call_exception_handler(reported)
