"""`manyply profile`: how somebody plays, over time and by kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from master.cli.arguments import CountType, board_option_of, is_board_shown, json_option
from master.cli.backgammon.analysing.analyse_boards import show_errors_of
from master.cli.backgammon.studying.studied import Studied, study_options
from master.cli.errors import ExitCode
from master.cli.output import echo, echo_json, echo_table
from master.cli.terminal import terminal_width
from master.games.backgammon.analyse_report import position_of, profile_report, settings_report
from master.games.backgammon.matches.figures import mark
from master.games.backgammon.matches.judging import Judgement
from master.games.backgammon.matches.profile import (
    UNDATED,
    Performance,
    PlayedMatch,
    Profile,
    profile_of,
)
from master.reports.report import Report
from master.reports.texts import counted, printable, signed

ERRORS_DEFAULT = 10
"""Errors listed: one screen."""

ERRORS_MAX = 1_000_000


@click.command("profile")
@click.argument("name")
@study_options
@click.option("--errors", "error_count", type=CountType(0, ERRORS_MAX), default=ERRORS_DEFAULT,
              show_default=True, metavar="N", help="List the N largest errors.")  # fmt: skip
@board_option_of("the positions of these errors")
@json_option
def profile_command(
    name: str, study: Callable[..., Studied], error_count: int, board: bool | None, is_json: bool
) -> None:
    """Say how a player plays: PR over time and by kind of decision, and the worst errors.

    NAME is the player's, as the matches have it.  FILE is a match or a folder of them; without
    any, the matches are those that `manyply play` has kept.  Matches analysed before are not
    computed again.
    """
    studied = study(name, is_quiet=is_json)
    profile = profile_of(studied.matches)
    if is_json:
        echo_json(_report(name, profile, studied, error_count))
    else:
        _show(name, profile)
        _show_worst(profile.worst[:error_count], board)
    if not studied.is_whole:
        raise SystemExit(ExitCode.BAD_INPUT)


def _show(name: str, profile: Profile) -> None:
    matches = counted(len(profile.matches), "match", "matches")
    decisions = counted(profile.overall.decisions, "decision")
    echo(f"{printable(name)}: {matches}, {decisions}, PR {_pr(profile.overall)}", is_bold=True)
    headings = ("Counted", "Errors", "Loss", "PR")
    if any(month != UNDATED for month, _, _ in profile.months):
        echo("")
        rows = [
            (month or "no date", f"{count:,}", *_cells(own)) for month, count, own in profile.months
        ]
        echo_table("", ("Month", "Matches", *headings), rows)
    echo("")
    kinds = [(sort.value, f"{own.decisions:,}", *_cells(own)) for sort, own in profile.sorts]
    kinds.append(("all", f"{profile.overall.decisions:,}", *_cells(profile.overall)))
    echo_table("", ("Kind", "Decisions", *headings), kinds)


def _cells(own: Performance) -> tuple[str, ...]:
    loss = signed(-own.loss, 3) if own.loss else "0"
    return f"{own.counted:,}", f"{own.errors:,}", loss, _pr(own)


def _pr(own: Performance) -> str:
    return "-" if own.pr is None else f"{own.pr:.2f}"


def _show_worst(worst: Sequence[tuple[PlayedMatch, Judgement]], board: bool | None) -> None:
    if not worst:
        return
    echo("")
    if is_board_shown(board, is_terminal=terminal_width() is not None):
        show_errors_of([(match.match, each, printable(match.name)) for match, each in worst])
        return
    headings = ("Match", "Move", "Error", "", "Position", "Roll", "Played", "Better")
    rows = [
        (
            printable(match.name), f"{each.game + 1}.{each.action + 1}", signed(-each.error, 3),
            mark(each.error).value, position_of(each),
            "" if each.dice is None else f"{each.dice[0]}{each.dice[1]}", each.played, each.best,
        )
        for match, each in worst
    ]  # fmt: skip
    echo_table("", headings, rows, left=len(headings), drops=(("Position",), ("",)))


def _report(name: str, profile: Profile, studied: Studied, error_count: int) -> Report:
    options = studied.options
    answering = options.answering
    settings = settings_report(answering.settings, answering.table)
    return {
        "player": name,
        "engine": None if options.is_stored else answering.engine,
        "settings": None if options.is_stored else settings | answering.depth.bounds_report(),
        **profile_report(profile, error_count),
    }
