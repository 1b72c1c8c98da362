"""`manyply analyse` of several matches: a line for each, or an object.

Files without a match are named, and the others are analysed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import click
from click.core import ParameterSource

from master.cli.backgammon.analysing.analyse_asking import (
    AnswerOptions,
    MatchTask,
    analyse_together,
    of_file,
    read_task,
)
from master.cli.backgammon.rule_options import Rules
from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo_json, echo_notice, echo_table, say_skipped
from master.games.backgammon.analyse_report import match_report
from master.games.backgammon.figure_rows import Unit
from master.games.backgammon.matches.figures import MatchFigures, PlayerFigures, match_figures
from master.games.backgammon.matches.files import MatchPart, parts_of
from master.games.backgammon.matches.record import AnalysedMatch
from master.games.backgammon.matches.replay import score_after
from master.games.errors import RecordError
from master.games.skipped import SkippedGames
from master.reports.report import Report
from master.reports.texts import counted, printable

SUFFIXES = (".mat", ".sgf", ".xg", ".bgf", ".ogxm", ".gvab", ".gva")
"""Endings of the matches in a folder, also with `.gz` behind. A named file may have any name."""

FILES_MAX = 10_000
"""A professional's career; a folder with more is likely the wrong one."""


class BadFile(NamedTuple):
    """A file or folder, and its problem."""

    file: str
    why: str


def match_files(paths: Sequence[Path]) -> tuple[list[Path], list[BadFile]]:
    """Return the files, each once, folders with their own folders in order of names.

    Returns:
        The files, and the problems of folders.

    Raises:
        CommandError: there are too many.
    """
    files, bad = dict[Path, Path](), list[BadFile]()
    for path in paths:
        found = list(_within(path, bad)) if path.is_dir() else [path]
        if not found and not any(each.file == str(path) for each in bad):
            expected = ", ".join(SUFFIXES)
            bad.append(BadFile(str(path), f"no match in this folder: expected files {expected}"))
        for file in found:
            files.setdefault(file.resolve(), file)
        if len(files) > FILES_MAX:
            raise CommandError(f"{path}: more than {FILES_MAX:,} matches: name fewer at once")
    return list(files.values()), bad


def _within(folder: Path, bad: list[BadFile]) -> Iterator[Path]:
    def record(error: OSError) -> None:
        bad.append(BadFile(str(error.filename), error.strerror or str(error)))

    for place, folders, names in os.walk(folder, onerror=record):
        folders[:] = sorted(_shown(folders))
        for name in sorted(_shown(names)):
            if name.lower().removesuffix(".gz").endswith(SUFFIXES) and Path(place, name).is_file():
                yield Path(place, name)


def _shown(names: Iterable[str]) -> Iterator[str]:
    """Yield the names that are not hidden."""
    return (name for name in names if not name.startswith("."))


ACTIONS_TOGETHER = 20_000
"""Of some 80 matches: minutes of work for dozens of cores, and 300 MB of analyses."""

HEADINGS = ("Match", "Player 1", "Player 2", "Result", "PR 1", "PR 2", "Luck 1", "Luck 2")

DROPS = (("Luck 1", "Luck 2"), ("Result",))
"""Columns that a narrow terminal has no room for, the least needed first."""


@dataclass(frozen=True)
class ManyOptions:
    """The options of an analysis of several matches.

    Args:
        answering: the depth and the place.
        rules: overrule those of the files.
        player: the player to analyse; None: both.
        is_stored: take the analyses that the files hold.
    """

    answering: AnswerOptions
    rules: Rules
    player: str | None = None
    is_stored: bool = False


@dataclass(frozen=True)
class FileAnalysis:
    """A file's match with its analysis."""

    file: Path
    task: MatchTask
    match: AnalysedMatch
    figures: MatchFigures


def refuse_many(options: Sequence[str]) -> None:
    """Refuse options that several matches have no use for.

    Args:
        options: of them those that were given; a number of errors is looked for here.
    """
    context = click.get_current_context()
    is_typed = context.get_parameter_source("error_count") is ParameterSource.COMMANDLINE
    for option in (*options, *["--errors"] * is_typed):
        raise CommandError(f"{option} is for one match, and these are several")


def analyse_many(paths: Sequence[Path], options: ManyOptions) -> None:
    """Analyse matches, and print a table, or an object a line.

    Raises:
        CommandError: none is a match, or the questions cannot be answered.
        SystemExit: some file was no match, or some game could not be read; the others are printed
            all the same.
    """
    is_json = options.answering.is_quiet
    bad, skipped_count = list[BadFile](), 0
    files, rows = list[Path](), list[list[str]]()
    for each in analysed_files(paths, options, bad):
        skipped_count += len(each.match.skipped)
        if is_json:
            known = None if options.is_stored else options.answering
            echo_json({"file": str(each.file)} | json_report(each.match, each.figures, known))
        else:
            files.append(each.file)
            rows.append(_row(each))
    if rows:
        named = [[printable(name), *row] for name, row in zip(tails(files), rows, strict=True)]
        echo_table("", HEADINGS, named, left=3, drops=DROPS)
    for wrong in bad:
        if is_json:
            echo_json({"file": wrong.file, "error": wrong.why})
        else:
            echo_bad(wrong)
    if skipped_count:
        echo_notice(f"{counted(skipped_count, 'game')} skipped")
    if bad or skipped_count:
        raise SystemExit(ExitCode.BAD_INPUT)


def echo_bad(wrong: BadFile) -> None:
    """Print a file's problem in one line on standard error."""
    echo_notice(printable(f"{wrong.file}: {wrong.why}"))


def analysed_files(
    paths: Sequence[Path], options: ManyOptions, bad: list[BadFile]
) -> Iterator[FileAnalysis]:
    """Analyse the matches of files and folders together, in their order.

    Enough of them are asked about together to keep every core busy for minutes; not all of
    thousands: memory could not hold their analyses.

    Args:
        paths: files and folders.
        options: how.
        bad: is given each file that is none, or holds no analysis where that is asked for.

    Raises:
        CommandError: no match has the player, or the questions cannot be answered.
    """
    files, wrong = match_files(paths)
    bad += wrong
    read = list(_read(files, options, bad))
    for tasks in _groups(_of_player(read, options)):
        yield from _analysed(tasks, options, bad)


FileTask = tuple[Path, MatchTask]


def _groups(tasks: Sequence[FileTask]) -> Iterator[list[FileTask]]:
    """Divide matches into groups of about ACTIONS_TOGETHER actions."""
    group, count = list[FileTask](), 0
    for file, task in tasks:
        group.append((file, task))
        count += sum(len(game.actions) for game in task.stored.match.games)
        if count >= ACTIONS_TOGETHER:
            yield group
            group, count = [], 0
    if group:
        yield group


def _analysed(
    tasks: Sequence[FileTask], options: ManyOptions, bad: list[BadFile]
) -> Iterator[FileAnalysis]:
    """Analyse the matches of one group."""
    if options.is_stored:
        matches = [task.stored for _, task in tasks]
    else:
        matches = analyse_together([task for _, task in tasks], options.answering)
    for (file, task), match in zip(tasks, matches, strict=True):
        figures = match_figures(match, table=options.answering.table)
        if options.is_stored and not figures.decisions:
            bad.append(BadFile(str(file), "holds no analysis: leave out --stored"))
        else:
            yield FileAnalysis(file, task, match, figures)


def _read(files: Sequence[Path], options: ManyOptions, bad: list[BadFile]) -> Iterator[FileTask]:
    for file, part in _parts(files, bad):
        try:
            task = read_task(file, part, options.answering, options.rules)
        except RecordError as error:
            bad.append(BadFile(str(file), str(error).removeprefix(f"{file}: ")))
            continue
        for warning in task.stored.warnings:
            echo_notice(printable(f"warning: {file}: {warning}"))
        skipped = SkippedGames(str(file))
        for game in task.stored.skipped:
            say_skipped(skipped, game)
        yield file, task


def _parts(files: Sequence[Path], bad: list[BadFile]) -> Iterator[tuple[Path, MatchPart]]:
    """Yield the matches of files, each with a name of its own."""
    for file in files:
        try:
            parts = parts_of(file)
        except RecordError as error:
            bad.append(BadFile(str(file), of_file(file, str(error)).removeprefix(f"{file}: ")))
            continue
        yield from ((file.with_name(part.name), part) for part in parts)


def _of_player(read: Sequence[FileTask], options: ManyOptions) -> list[FileTask]:
    """Return the matches that the player is in, if one is asked about."""
    if options.player is None:
        return list(read)
    own = [
        (file, replace(task, players=players))
        for file, task in read
        if (players := task.stored.match.called(options.player))
    ]
    if read and not own:
        names = sorted({name for _, task in read for name in task.stored.match.players})
        listed = ", ".join(map(repr, names[:NAMES_MAX])) + ", ..." * (len(names) > NAMES_MAX)
        raise CommandError(f"nobody is called {options.player!r}: the players are {listed}")
    if len(own) < len(read):
        others = counted(len(read) - len(own), "match", "matches")
        echo_notice(f"left out {others} without {options.player!r}")
    return own


NAMES_MAX = 8
"""Players named in the error about a name that no player has."""


def json_report(
    match: AnalysedMatch, figures: MatchFigures, answering: AnswerOptions | None
) -> Report:
    """Return the documented object of one match.

    Args:
        match: the match.
        figures: drawn from it.
        answering: how it was analysed; None: the analysis came with the file.
    """
    if answering is None:
        return match_report(match, figures, None, None)
    report = match_report(match, figures, answering.settings, answering.engine, answering.table)
    settings = report["settings"]
    assert isinstance(settings, dict), "there are settings"
    return report | {"settings": settings | answering.depth.bounds_report()}


def tails(files: Sequence[Path]) -> list[str]:
    """Return the names of files, each with enough of its folders to be unique."""
    counts = Counter(tail for file in files for tail in set(_tails(file)))
    return [next((t for t in _tails(file) if counts[t] == 1), str(file)) for file in files]


def _tails(file: Path) -> list[str]:
    """Return the last part of a path, the last two, and so on."""
    return [str(Path(*file.parts[-count:])) for count in range(1, len(file.parts) + 1)]


def _row(each: FileAnalysis) -> list[str]:
    """A line of the table, but for the name."""
    record = each.match.match
    is_match = record.length > 0
    score = score_after(record.games[-1]) if record.games else (0, 0)
    both = each.figures.match
    return [
        *(printable(name) for name in record.players),
        f"{score[0]}-{score[1]}" + (f" to {record.length}" if is_match else ""),
        *("-" if own.pr is None else f"{own.pr:.2f}" for own in both),
        *(luck_words(own, is_match=is_match) for own in both),
    ]


def luck_words(own: PlayerFigures, *, is_match: bool) -> str:
    """Return a player's luck in points, or in per cent of match winning chance."""
    return Unit(is_match=is_match).luck(own.tally.luck)
