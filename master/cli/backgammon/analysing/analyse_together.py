"""Matches read from files and analysed, all of their questions together.

The questions of several matches go to the fleet at once, so that no core waits for the last
decision of a match before the next match begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from master.cli.backgammon.analysing.analyse_asking import AnswerOptions
from master.cli.backgammon.analysing.analyse_depth import Depth
from master.cli.backgammon.rule_options import Rules
from master.cli.errors import CommandError
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.decisions import ActionQuestion, answered, ask_about
from master.games.backgammon.matches.files import MatchPart
from master.games.backgammon.matches.record import Match, plain_name
from master.games.backgammon.matches.second_pass import (
    RolloutBounds,
    rollout_questions,
    with_rollouts,
)
from master.games.errors import RecordError


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


def players_called(match: Match, name: str) -> tuple[int, ...]:
    """Return the numbers of the players of a name, in capitals or not and with any blanks."""
    wanted = plain_name(name).casefold()
    return tuple(i for i, each in enumerate(match.players) if plain_name(each).casefold() == wanted)


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
    texts = [text for each in wanted for text in each]
    rolled = dict(zip(texts, answering.answers(texts), strict=True)) if texts else {}
    return [
        with_rollouts(match, each, settings, {text: rolled[text] for text in own})
        for match, each, own in zip(known, asked, wanted, strict=True)
    ]


def _asked(task: MatchTask, answering: AnswerOptions) -> list[ActionQuestion]:
    return ask_about(
        task.stored.match, answering.settings, answering.engine, task.games, task.players,
        answering.table,
    )  # fmt: skip
