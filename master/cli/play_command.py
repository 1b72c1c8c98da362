"""`manyply play`: a match against the engine, analysed while it is played.

Knows options, files and the terminal's line editor; the course of a match is play_table's.
"""

from __future__ import annotations

import getpass
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from shlex import quote

import click

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.analyse_table import error_lines, figure_lines
from master.cli.arguments import Count
from master.cli.errors import CommandError, ExitCode
from master.cli.fleet_thread import FleetThread
from master.cli.output import echo
from master.cli.place import place_of, place_options
from master.cli.play_advisor import FleetAdvisor
from master.cli.play_files import MatchFile
from master.cli.play_person import Person
from master.cli.play_table import Leave, Outside, Settings, Table
from master.cli.watching import error_code
from master.errors import MasterError
from master.fleet import FleetEntry
from master.matches.analysed import AnalysedMatch
from master.matches.figures import match_figures
from master.matches.record import Match, RecordError
from master.play.advice import TUTOR_LOSS_MIN
from master.play.dice import SEED_MAX
from master.play.live_match import LiveMatch, Phase

MATCH_LENGTH_DEFAULT = 5
MATCH_LENGTH_MAX = 64
NAME_CHARACTERS_MAX = 100  # longer ones are no names, and fill the screen
PLIES_DEFAULT = 2
ERRORS_SHOWN = 10
SEEDS_BY_CHANCE = 2**31  # short enough to be typed again


@click.command("play")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--match",
    "length",
    type=Count(1, MATCH_LENGTH_MAX),
    metavar="N",
    help=f"Play a match to N points.  [default: {MATCH_LENGTH_DEFAULT}]",
)
@click.option("--money", is_flag=True, help="Play money games instead, with Jacoby and beavers.")
@click.option(
    "--plies",
    "ply",
    type=Count(0, PLY_MAX),
    default=PLIES_DEFAULT,
    show_default=True,
    metavar="N",
    help="How far the engine looks ahead.",
)
@click.option(
    "--analysis-plies",
    "analysis_ply",
    type=Count(0, PLY_MAX),
    default=PLIES_DEFAULT,
    show_default=True,
    metavar="N",
    help="How deep the match is analysed meanwhile.",
)
@click.option("--tutor", is_flag=True, help="Warn before a bad move or cube action.")
@click.option(
    "--seed",
    type=Count(0, SEED_MAX),
    metavar="S",
    help="Dice by this seed: the same seed and moves are the same match.  [default: by chance]",
)
@click.option("--manual-dice", is_flag=True, help="You roll the dice, and type them in.")
@click.option("--name", metavar="NAME", help="Your name.  [default: your login]")
@place_options
def play_command(
    file: str | None,
    length: int | None,
    money: bool,
    ply: int,
    analysis_ply: int,
    tutor: bool,
    seed: int | None,
    manual_dice: bool,
    name: str | None,
    analysers: tuple[FleetEntry, ...],
    local: int | None,
    master: str | None,
) -> None:
    """Play a match against the engine, or go on with that in FILE.

    Enter rolls; moves are typed as they are written, e.g. 8/5 6/5; `help` lists the rest.  While
    you think, your moves are analysed; at the end the match is reviewed and saved.
    """
    if money and length is not None:
        raise click.UsageError("--match and --money exclude each other")
    if manual_dice and seed is not None:
        raise click.UsageError("--seed rolls the dice and --manual-dice leaves them to you")
    if file is not None and (money or length is not None or name is not None):
        raise click.UsageError("FILE has its players and length: leave --match, --money, --name")
    if name is not None and not (name.isprintable() and len(name) <= NAME_CHARACTERS_MAX):
        raise click.UsageError(f"--name takes up to {NAME_CHARACTERS_MAX} printable characters")
    place = place_of(analysers, local, master)
    dice = None if manual_dice else random.randrange(SEEDS_BY_CHANCE) if seed is None else seed
    settings = Settings(dice, TUTOR_LOSS_MIN if tutor else None)
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
    players = (name or _login(), f"manyply {ply}-ply")
    match = Match(players, points, beavers=is_money, jacoby=is_money)
    return LiveMatch(AnalysedMatch(match))


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user without a name
        return "you"


def _play(advisor: FleetAdvisor, live: LiveMatch, settings: Settings, kept: MatchFile) -> None:
    """Play to the end, or until the person leaves; review and save."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # a byte of another encoding is a typing mistake
    table = Table(live, advisor, settings, Outside(_ask, kept.save, kept.load, _review))
    if settings.seed is not None:
        echo(f"Dice by seed {settings.seed}.  help lists what you can type.")
    try:
        with _completion(table):
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


def _ask(prompt: str) -> str:
    """Return what is typed; EOFError also where the caller closed a stream."""
    if sys.stdin is None or sys.stdout is None:
        raise EOFError
    return input(prompt)


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
    shown = sys.stderr.isatty()
    while left := advisor.left(table.live):
        if shown:
            click.echo(f"\ranalysed {total - left} of {total} ", err=True, nl=False)
        advisor.wait_a_moment()
    if shown:
        click.echo("\r" + " " * 30 + "\r", err=True, nl=False)
    if advisor.trouble:
        click.echo(f"manyply: not all is analysed: {advisor.trouble}", err=True)
    _review(table.live.analysed)


def _review(analysed: AnalysedMatch) -> None:
    """Print the figures of what is analysed by now, and the worst errors."""
    figures = match_figures(analysed)
    errors = error_lines(analysed, figures, ERRORS_SHOWN)
    echo("")
    for line in (*figure_lines(analysed, figures, None, source="as analysed"), "", *errors):
        echo(line)


@contextmanager
def _completion(table: Table) -> Iterator[None]:
    """Let Tab complete legal moves, on a terminal with a line editor."""
    try:
        import readline  # noqa: PLC0415  # absent on some systems; then there is no completion
    except ImportError:
        yield
        return
    old, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(_completer(table, readline.get_line_buffer))
    readline.set_completer_delims("")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(old)
        readline.set_completer_delims(delimiters)


def _completer(table: Table, line: Callable[[], str]) -> Callable[[str, int], str | None]:
    def complete(text: str, index: int) -> str | None:
        live = table.live
        if live.dice is None:
            return None
        write = partial(format_move, live.state.game.position)
        fitting = [move for move in (write(m.steps) for m in live.legal_moves()) if move]
        chosen = [move for move in fitting if move.startswith(line())]
        return chosen[index] if index < len(chosen) else None

    return complete
