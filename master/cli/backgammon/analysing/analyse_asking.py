"""Answering the questions about matches: from stored answers, on this core, or by a fleet."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from engine_ext import services
from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.control import RunControl
from engine_ext.kept_digest import kept_engine_digest
from engine_ext.services import engine_digest
from master.cli.backgammon.analysing.analyse_depth import Depth
from master.cli.backgammon.rule_options import Rules
from master.cli.errors import CommandError
from master.cli.interruptible import interruptible
from master.cli.place import Place
from master.cli.playing.play_terminal import show_count
from master.games.backgammon.matches.decisions import ActionQuestion, answered, ask_about
from master.games.backgammon.matches.files import MatchPart
from master.games.backgammon.matches.record import AnalysedMatch
from master.games.backgammon.matches.second_pass import (
    RolloutBounds,
    rollout_questions,
    with_rollouts,
)
from master.games.errors import RecordError

COUNT_EVERY = 50
"""Decisions between two checks of the clock: a twentieth of a second."""

COUNT_AFTER_S = 1.0
"""Shorter work needs no progress display."""


PIECEWISE_MAX = 64
"""Decisions rolled out in pieces; more of them keep all machines busy as they are."""


def is_shallow(settings: AnalysisSettings) -> bool:
    """Return whether the work is done before a fleet would have started.

    Static evaluation takes a millisecond a decision, a third of a second for a long match. The
    master's modules alone take about as long to load. For many matches it is no slower than two
    local cores of a fleet, whose questions and answers go through lines. From 1-ply on a fleet is
    worth its start.
    """
    return settings.ply == 0 and settings.cube_ply == 0 and settings.rollout is None


def answer_here(questions: Sequence[str]) -> list[str]:
    """Answer questions one after the other; nothing is kept.

    How far it is is shown on a terminal once that takes a while, as of many matches.
    """
    control, began = RunControl(), time.monotonic()

    def compute() -> list[str]:
        known: dict[str, str] = {}
        asked, is_shown = list(dict.fromkeys(questions)), False
        for number, question in enumerate(asked, start=1):
            answer = services.answer(question, control)
            assert answer is not None, "nobody stops it"
            known[question] = answer
            if number % COUNT_EVERY == 0 and time.monotonic() - began >= COUNT_AFTER_S:
                show_count(f"decision {number:,} of {len(asked):,}")
                is_shown = True
        if is_shown:
            show_count("")
        return [known[question] for question in questions]

    return interruptible(compute)


@dataclass(frozen=True)
class AnswerOptions:
    """How questions are to be answered.

    Args:
        depth: how deep.
        place: where.
        is_quiet: show no progress but on a terminal.
        table: the match equities; None for the shipped ones.
    """

    depth: Depth
    place: Place
    is_quiet: bool
    table: MatchTable | None = None

    @property
    def settings(self) -> AnalysisSettings:
        """The levels, and the rollout that follows."""
        return self.depth.settings

    @property
    def engine(self) -> str:
        """Digest of the engine that is to answer."""
        return kept_engine_digest("backgammon", engine_digest)

    def answers(self, questions: Sequence[str]) -> list[str]:
        """Return the answers, in the order of the questions; all of them are asked together.

        Stored answers are not computed again, and if all are stored no fleet is started.
        """
        asked = list(dict.fromkeys(questions))
        if is_shallow(self.settings) and self.place == Place():
            known = dict(zip(asked, answer_here(asked), strict=True))
        else:
            known = self._known(asked)
        return [known[question] for question in questions]

    def rolled_out(self, questions: Mapping[str, ActionAnalysis]) -> dict[str, str]:
        """Return the answers to questions for rollouts, each with the look-ahead analysis.

        A few decisions are rolled out in pieces, so that all analysers take part, the progress is
        shown, and finished pieces are kept.
        """
        known = self._kept(list(questions))
        left = {text: analysis for text, analysis in questions.items() if text not in known}
        answered = self._known(list(left)) if len(left) > PIECEWISE_MAX else self._in_pieces(left)
        return known | answered

    def _kept(self, asked: Sequence[str]) -> dict[str, str]:
        # The store's and the master's modules take longer to load than static analysis takes.
        from master.cli.jobs.kept_answers import kept_answers  # noqa: PLC0415

        return kept_answers(self.place, asked)

    def _known(self, asked: Sequence[str], unit: str = "decisions") -> dict[str, str]:
        known = self._kept(asked)
        if len(known) == len(asked):
            return known
        from master.cli.jobs.answering import answer_by_fleet  # noqa: PLC0415

        answers = answer_by_fleet(self.place, asked, is_quiet=self.is_quiet, unit=unit)
        return dict(zip(asked, answers, strict=True))

    def _in_pieces(self, asked: Mapping[str, ActionAnalysis]) -> dict[str, str]:
        # It loads the nets, which most analyses need in no process but the analysers'.
        from master.games.backgammon.matches.rollout_pieces import RolloutPieces  # noqa: PLC0415

        rollouts = RolloutPieces(asked)
        while wanted := interruptible(rollouts.missing):
            rollouts.add(self._known(wanted, "parts of rollouts"))
        return rollouts.answers | self._known(rollouts.too_long)


@dataclass(frozen=True)
class MatchTask:
    """A match to be analysed.

    Args:
        stored: the match, with its file's analysis.
        players: the players to analyse.
        games: indices of the games looked at; None: all.
    """

    stored: AnalysedMatch
    players: tuple[int, ...] = (0, 1)
    games: tuple[int, ...] | None = None


def ruled_match(analysed: AnalysedMatch, rules: Rules) -> AnalysedMatch:
    """Return a recorded match with the rules given; CommandError if they are not for it."""
    record = analysed.match
    rules = rules.fitting(is_match=record.length > 0)
    if record.length and (rules.jacoby, rules.beavers) != (None, None):
        raise CommandError("--jacoby and --beavers are for money play, and this is a match")
    if rules.table is not None and not record.length:
        raise CommandError("--met is for match play, and this is money play")
    jacoby = record.jacoby if rules.jacoby is None else rules.jacoby
    beavers = record.beavers if rules.beavers is None else rules.beavers
    return replace(analysed, match=replace(record, jacoby=jacoby, beavers=beavers))


def read_task(file: Path, part: MatchPart, answering: AnswerOptions, rules: Rules) -> MatchTask:
    """Read a match of a file; problems with its questions are found before anything is computed.

    Raises:
        RecordError: it cannot be read or asked about; the text begins with the file.
    """
    try:
        task = MatchTask(ruled_match(part.read(), rules))
        _asked(task, answering)
    except (RecordError, CommandError) as error:
        raise RecordError(of_file(file, str(error))) from error
    return task


def of_file(file: Path, text: str) -> str:
    """Return the problem of a file, with its whole path in front."""
    for named in (f"{file}: ", f"{file.name}: ", f"{file.name}:"):
        text = text.removeprefix(named)
    return f"{file}: {text}"


def analyse_together(tasks: Sequence[MatchTask], answering: AnswerOptions) -> list[AnalysedMatch]:
    """Analyse matches; each is the same as if it were analysed alone.

    Raises:
        RecordError: one cannot be asked about.
        CommandError: the questions cannot be answered.
    """
    bounds = answering.depth.bounds
    probe = replace(answering, depth=Depth(answering.depth.examined))
    asked = [_asked(task, probe) for task in tasks]
    left = iter(probe.answers([one.question.to_text() for each in asked for one in each]))
    known = [
        answered(task.stored.match, each, [next(left) for _ in each])
        for task, each in zip(tasks, asked, strict=True)
    ]
    if bounds is not None:
        known = _examined_again(known, asked, bounds, answering)
    return [
        replace(match, warnings=task.stored.warnings, skipped=task.stored.skipped)
        for match, task in zip(known, tasks, strict=True)
    ]


def _examined_again(
    known: Sequence[AnalysedMatch],
    asked: Sequence[Sequence[ActionQuestion]],
    bounds: RolloutBounds,
    answering: AnswerOptions,
) -> list[AnalysedMatch]:
    """Roll out the decisions that pass the bounds, of all matches together."""
    settings = answering.settings
    wanted = [
        rollout_questions(match, each, settings, bounds, answering.table)
        for match, each in zip(known, asked, strict=True)
    ]
    rolled = answering.rolled_out({text: each[text] for each in wanted for text in each})
    return [
        with_rollouts(match, each, settings, {text: rolled[text] for text in own})
        for match, each, own in zip(known, asked, wanted, strict=True)
    ]


def _asked(task: MatchTask, answering: AnswerOptions) -> list[ActionQuestion]:
    return ask_about(
        task.stored.match, answering.settings, answering.engine, task.games, task.players,
        answering.table,
    )  # fmt: skip
