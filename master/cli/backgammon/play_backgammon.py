"""`manyply play backgammon`: a match against the engine, analysed while it is played.

Knows options and files; the course of a match is play_table's.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from shlex import quote

import click

from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.arguments import Count, reads
from master.cli.backgammon.analyse_table import error_lines, figure_lines
from master.cli.backgammon.arguments import ply_option
from master.cli.backgammon.play_advisor import FleetAdvisor
from master.cli.backgammon.play_files import MatchFile
from master.cli.backgammon.play_person import Person
from master.cli.backgammon.play_table import Outside, Settings, Table
from master.cli.errors import CommandError, ExitCode
from master.cli.fleet_thread import FleetThread
from master.cli.jobs.watching import error_code
from master.cli.output import echo, echo_notice
from master.cli.place import Place, place_options
from master.cli.playing.play_terminal import (
    Leave,
    ask,
    completion,
    forgive_encoding,
    login,
    read_name,
    show_count,
)
from master.cli.terminal import terminal_width
from master.contract.errors import MasterError
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.record import Match
from master.games.backgammon.play.advice import TUTOR_LOSS_MIN
from master.games.backgammon.play.dice import SEED_MAX
from master.games.backgammon.play.live_match import LiveMatch, Phase
from master.games.errors import RecordError

MATCH_LENGTH_DEFAULT = 5
MATCH_LENGTH_MAX = 64
PLIES_DEFAULT = 2
ERRORS_SHOWN = 10
SEEDS_BY_CHANCE = 2**31  # short enough to be typed again


@click.command("backgammon")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--match",
    "length",
    type=Count(1, MATCH_LENGTH_MAX),
    metavar="N",
    help=f"Play a match to N points.  [default: {MATCH_LENGTH_DEFAULT}]",
)
@click.option("--money", is_flag=True, help="Play money games instead, with Jacoby and beavers.")
@ply_option("--plies", "ply", "How far the engine looks ahead.", PLIES_DEFAULT)
@ply_option(
    "--analysis-plies", "analysis_ply", "How deep the match is analysed meanwhile.", PLIES_DEFAULT
)
@click.option("--tutor", is_flag=True, help="Warn before a bad move or cube action.")
@click.option(
    "--seed",
    type=Count(0, SEED_MAX),
    metavar="S",
    help="Dice by this seed: the same seed and moves are the same match.  [default: by chance]",
)
@click.option("--manual-dice", is_flag=True, help="You roll the dice, and type them in.")
@click.option("--auto-roll", is_flag=True, help="Roll for you where you have no use for the cube.")
@click.option(
    "--name", metavar="NAME", callback=reads(read_name), help="Your name.  [default: your login]"
)
@place_options
def play_backgammon(
    file: str | None,
    length: int | None,
    money: bool,
    ply: int,
    analysis_ply: int,
    tutor: bool,
    seed: int | None,
    manual_dice: bool,
    auto_roll: bool,
    name: str | None,
    place: Place,
) -> None:
    """Play a match against the engine, or go on with that in FILE.

    Enter rolls; moves are typed as they are written, e.g. 8/5 6/5; `help` lists the rest.  While
    you think, your moves are analysed; at the end the match is reviewed and saved.

    This is backgammon, also without its name; see also manyply play othello --help.
    """
    if money and length is not None:
        raise click.UsageError("--match and --money exclude each other")
    if manual_dice and seed is not None:
        raise click.UsageError("--seed rolls the dice and --manual-dice leaves them to you")
    if file is not None and (money or length is not None or name is not None):
        raise click.UsageError("FILE has its players and length: leave --match, --money, --name")
    dice = None if manual_dice else random.randrange(SEEDS_BY_CHANCE) if seed is None else seed
    settings = Settings(dice, TUTOR_LOSS_MIN if tutor else None, is_auto_roll=auto_roll)
    kept, analysis = MatchFile(), AnalysisSettings(analysis_ply, analysis_ply)
    try:
        live = kept.load(Path(file)) if file else _new_match(length, name, ply, is_money=money)
        with FleetThread(place) as fleet:
            _play(FleetAdvisor(fleet, ply, analysis), live, settings, kept)
    except RecordError as error:
        raise CommandError(str(error)) from error
    except MasterError as error:
        raise CommandError(str(error), error_code(error)) from error


def _new_match(length: int | None, name: str | None, ply: int, *, is_money: bool) -> LiveMatch:
    points = 0 if is_money else length or MATCH_LENGTH_DEFAULT
    players = (name or login(), f"manyply {ply}-ply")
    match = Match(players, points, beavers=is_money, jacoby=is_money)
    return LiveMatch(AnalysedMatch(match))


def _play(advisor: FleetAdvisor, live: LiveMatch, settings: Settings, kept: MatchFile) -> None:
    """Play to the end, or until the person leaves; review and save."""
    forgive_encoding()
    table = Table(live, advisor, settings, Outside(ask, kept.save, kept.load, kept.begin, _review))
    if settings.seed is not None:
        echo(f"Dice by seed {settings.seed}.  help lists what you can type.")
    try:
        with completion(partial(_moves, table)):
            table.play(Person(table).act)
        _finish(advisor, table)
        code = ExitCode.OK
    except Leave:
        code = ExitCode.OK
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    advisor.follow(table.live)
    if table.live.entries:
        _save(table.live, kept)
    raise SystemExit(code)


def _save(live: LiveMatch, kept: MatchFile) -> None:
    """Save for the last time, and say how to go on."""
    try:
        path = kept.save(live.analysed)
    except RecordError as error:
        raise CommandError(f"the match is not saved: {error}", ExitCode.STORAGE) from error
    way = "" if live.phase is Phase.MATCH_OVER else f"; go on with: manyply play {quote(str(path))}"
    echo(f"\nSaved as {path}{way}")


def _finish(advisor: FleetAdvisor, table: Table) -> None:
    """Wait for what is still analysed, and review the match."""
    total = len(table.live.entries)
    while left := advisor.left(table.live):
        show_count(f"analysed {total - left} of {total}")
        advisor.wait_a_moment()
    show_count("")
    if advisor.trouble:
        echo_notice(f"not all is analysed: {advisor.trouble}")
    _review(table.live.analysed)


def _review(analysed: AnalysedMatch) -> None:
    """Print the figures of what is analysed by now, and the worst errors."""
    figures = match_figures(analysed)
    width = terminal_width()
    errors = error_lines(analysed, figures, ERRORS_SHOWN, width)
    echo("")
    shown = figure_lines(analysed, figures, None, source="as analysed", width=width)
    for line in (*shown, "", *errors):
        echo(line)


def _moves(table: Table) -> list[str]:
    """Return the legal moves of the moment as they are written."""
    live = table.live
    if live.dice is None:
        return []
    write = partial(format_move, live.state.game.position)
    return [text for move in live.legal_moves() if (text := write(move.steps))]
