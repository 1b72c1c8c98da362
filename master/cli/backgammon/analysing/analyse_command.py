"""`manyply analyse`: every decision and roll of a recorded match, by this machine or many.

Knows options, and what a match file and its figures are for; asking is jobs.answering's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from engine_ext import services
from engine_ext.backgammon.context import SEED_MAX
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import TRIALS_MAX, AnalysisSettings, RolloutSettings
from master.cli.arguments import (
    CountType,
    board_option_of,
    is_board_shown,
    json_option,
    reads,
    together,
)
from master.cli.backgammon.analysing.analyse_boards import show_errors
from master.cli.backgammon.analysing.analyse_files import Outputs, Told
from master.cli.backgammon.analysing.analyse_here import answer_here, is_shallow
from master.cli.backgammon.analysing.analyse_list import list_lines, list_report
from master.cli.backgammon.analysing.analyse_table import error_lines, figure_lines, game_lines
from master.cli.backgammon.arguments import filter_option, ply_option
from master.cli.backgammon.rollout_request import SEED_DEFAULT
from master.cli.backgammon.rule_options import Rules, ruled, rules_options
from master.cli.errors import CommandError
from master.cli.output import echo, echo_json, echo_lines, echo_notice
from master.cli.place import Place, place_options
from master.cli.terminal import terminal_width
from master.games.backgammon.analyse_report import match_report
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.figures import MatchFigures, match_figures
from master.games.backgammon.matches.files import read_decisions, read_match_file
from master.games.backgammon.matches.id_list import ListedDecision
from master.games.backgammon.matches.listed import answered_list, ask_about_list
from master.games.backgammon.matches.record import Match
from master.games.errors import RecordError

PLY_DEFAULT = 2
"""gnubg's own, and deep enough that a player's errors are seldom the analyst's."""

ERRORS_DEFAULT = 20
"""Errors listed: two screens of a match's largest."""

ERRORS_MAX = 1_000_000
"""More than a match has decisions."""

LUCK_PLY = 0
"""Level of luck, as gnubg's: all 21 rolls are judged, which costs 21 evaluations of a decision."""


def _read_games(text: str) -> tuple[int, ...]:
    """Return indices of games written 1,3 or 2-4; ValueError otherwise."""
    indices: set[int] = set()
    for part in text.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        numbers = [first, last] if dash else [first]
        if not all(word.isascii() and word.isdigit() and len(word) <= 4 for word in numbers):
            raise ValueError(f"{text!r} does not name games: expected numbers such as 1,3 or 2-4")
        if int(first) > int(numbers[-1]):
            raise ValueError(f"{text!r} does not name games: {part.strip()} runs backwards")
        indices.update(range(int(first) - 1, int(numbers[-1])))
    if min(indices) < 0:
        raise ValueError(f"{text!r} does not name games: they are counted from 1")
    return tuple(sorted(indices))


_analyse_options = together(
    click.argument("file", type=click.Path(path_type=Path)),
    ply_option("--plies", "ply", "Look-ahead of checker play, in gnubg's count.", PLY_DEFAULT),
    ply_option("--cube-plies", "cube_ply", "Look-ahead of cube decisions.  [default: as --plies]"),
    filter_option,
    click.option("--rollout", "trials", type=CountType(1, TRIALS_MAX), metavar="TRIALS",
                 help="Roll out so many games of each of the best moves and cube actions."),
    click.option("--seed", type=CountType(0, SEED_MAX), default=SEED_DEFAULT, show_default=True,
                 metavar="S", help="With --rollout: the same seed rolls the same dice."),
    click.option("--stored", "is_stored", is_flag=True,
                 help="Compute nothing: take the analysis that the file holds."),
    click.option("--player", metavar="NAME", help="Look at this player's decisions only."),
    click.option("--games", callback=reads(_read_games), metavar="LIST",
                 help="Look at these games only, e.g. 1,3 or 2-4."),
    click.option("--errors", "error_count", type=CountType(0, ERRORS_MAX), default=ERRORS_DEFAULT,
                 show_default=True, metavar="N", help="List the N largest errors."),
    board_option_of("the positions of these errors"),
    click.option("--sgf", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write match and analysis to a file that gnubg opens."),
    click.option("--csv", "csv_path", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write a row for each decision."),
    click.option("--html", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write a page of all moves, boards and curves: one file for any browser; "
                      "- is standard output."),
    click.option("--text", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write all moves with boards as plain text, likewise."),
)  # fmt: skip


@click.command("backgammon", short_help="A match, or a list of decisions.")
@_analyse_options
@rules_options
@place_options
@json_option
def analyse_backgammon(
    file: Path,
    ply: int,
    cube_ply: int | None,
    move_filter: str,
    trials: int | None,
    seed: int,
    is_stored: bool,
    player: str | None,
    games: tuple[int, ...] | None,
    error_count: int,
    board: bool | None,
    sgf: Path | None,
    csv_path: Path | None,
    html: Path | None,
    text: Path | None,
    place: Place,
    is_json: bool,
    **rules: Any,
) -> None:
    """Analyse a recorded match: every move, cube action and roll.

    FILE is a match (.mat, .sgf, .xg, ...) or a list: one ID a line, after it the roll and what was
    done, where known, e.g. `4HPwATDgc/ABMA 31 8/5 6/5`.  Ctrl-C stops; what is analysed is kept,
    and the same command goes on.
    """
    outputs = Outputs(sgf, csv_path, html, text)
    outputs.check(file)
    if outputs.is_printed and is_json:
        raise click.UsageError("--json prints, and so does the name -: give it a file")
    rollout = None if trials is None else RolloutSettings(trials, seed)
    cube_level = ply if cube_ply is None else cube_ply
    settings = AnalysisSettings(ply, cube_level, move_filter, LUCK_PLY, rollout)
    ruling = Rules(**rules)
    answering = AnswerOptions(settings, place, is_json, ruling.table)
    of_matches = {"--stored": is_stored, "--player": player is not None, "--sgf": sgf is not None,
                  "--games": games is not None, "--csv": csv_path is not None,
                  "--html": html is not None, "--text": text is not None,
                  "--board": bool(board)}  # fmt: skip
    try:
        listed = read_decisions(file)
        if listed is not None:
            _refuse(file, [option for option, is_given in of_matches.items() if is_given])
            listed = [replace(one, state=ruled(one.state, ruling)) for one in listed]
            _analyse_list(file, listed, answering, is_json=is_json)
            return
        stored = _ruled_match(read_match_file(file), ruling)
        for warning in stored.warnings:
            echo_notice(f"warning: {warning}")
        players = _players(stored.match, player)
        _check_games(stored.match, games)
        match = stored if is_stored else _analysed(stored, games, players, answering)
        figures = match_figures(match, games, ruling.table)
    except RecordError as error:
        raise CommandError(str(error)) from error
    if is_stored and not figures.decisions:
        raise CommandError(f"{file.name} holds no analysis: leave out --stored")
    asked = None if is_stored else settings
    engine = None if is_stored else answering.engine
    outputs.write(Told(match, figures, asked, engine, answering.table, players))
    if is_json:
        echo_json(match_report(match, figures, asked, engine, answering.table))
    elif not outputs.is_printed:
        _show(match, figures, asked, players, Listed(error_count, board))


@dataclass(frozen=True)
class Listed:
    """Which errors are listed: how many, and whether with boards, None: as it is usual."""

    count: int
    board: bool | None


@dataclass(frozen=True)
class AnswerOptions:
    """How questions are to be answered: how deep, where, silently or not, by which equities."""

    settings: AnalysisSettings
    place: Place
    is_quiet: bool
    table: MatchTable | None = None

    @property
    def engine(self) -> str:
        """Digest of the engine that is to answer."""
        return services.engine_digest("backgammon")

    def answers(self, questions: Sequence[str]) -> list[str]:
        """Return the answers, in the order of the questions."""
        if is_shallow(self.settings) and self.place == Place():
            return answer_here(questions)
        # The master's modules take longer to load than static analysis of a match takes.
        from master.cli.jobs.answering import answer_by_fleet  # noqa: PLC0415

        return answer_by_fleet(self.place, questions, is_quiet=self.is_quiet)


def _refuse(file: Path, options: Sequence[str]) -> None:
    if options:
        raise CommandError(f"{options[0]} is for matches, and {file.name} is a list of IDs")


def _analyse_list(
    file: Path, listed: Sequence[ListedDecision], answering: AnswerOptions, *, is_json: bool
) -> None:
    questions = ask_about_list(
        listed, answering.settings, answering.engine, file.name, answering.table
    )
    answers = answering.answers([each.to_text() for each in questions])
    known = answered_list(listed, answers, answering.table)
    if is_json:
        echo_json(list_report(known, answering.settings, answering.engine, answering.table))
    else:
        echo_lines(list_lines(known, terminal_width()))


def _ruled_match(analysed: AnalysedMatch, rules: Rules) -> AnalysedMatch:
    """Return a recorded match with the rules given; CommandError if they are not for it."""
    record = analysed.match
    if record.length and (rules.jacoby, rules.beavers) != (None, None):
        raise CommandError("--jacoby and --beavers are for money play, and this is a match")
    if rules.table is not None and not record.length:
        raise CommandError("--met is for match play, and this is money play")
    jacoby = record.jacoby if rules.jacoby is None else rules.jacoby
    beavers = record.beavers if rules.beavers is None else rules.beavers
    return replace(analysed, match=replace(record, jacoby=jacoby, beavers=beavers))


def _players(match: Match, name: str | None) -> tuple[int, ...]:
    """Return whose decisions are looked at."""
    if name is None:
        return (0, 1)
    found = [i for i, each in enumerate(match.players) if each.casefold() == name.casefold()]
    if len(found) != 1:
        names = " and ".join(repr(each) for each in match.players)
        raise CommandError(f"no single player is called {name!r}: the match is between {names}")
    return tuple(found)


def _check_games(match: Match, games: tuple[int, ...] | None) -> None:
    count = len(match.games)
    if games is not None and games[-1] >= count:
        raise CommandError(f"there is no game {games[-1] + 1}: the match has {count}")


def _analysed(
    stored: AnalysedMatch,
    games: tuple[int, ...] | None,
    players: tuple[int, ...],
    answering: AnswerOptions,
) -> AnalysedMatch:
    match = stored.match
    asked = ask_about(match, answering.settings, answering.engine, games, players, answering.table)
    answers = answering.answers([one.question.to_text() for one in asked])
    return replace(answered(match, asked, answers), warnings=stored.warnings)


def _show(
    match: AnalysedMatch,
    figures: MatchFigures,
    settings: AnalysisSettings | None,
    players: tuple[int, ...],
    errors: Listed,
) -> None:
    width = terminal_width()
    has_boards = is_board_shown(errors.board, is_terminal=width is not None)
    tables = (
        figure_lines(match, figures, settings, players, width=width),
        game_lines(match, figures, players, width),
        [] if has_boards else error_lines(match, figures, errors.count, width),
    )
    for place, lines in enumerate(each for each in tables if each):
        if place:
            echo("")
        echo_lines(lines)
    if has_boards and errors.count and figures.errors():
        echo("")
        show_errors(match, figures, errors.count)
