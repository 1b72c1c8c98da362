"""`manyply play backgammon`: a match against the engine, analysed while it is played."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path

import click

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.arguments import CountType, reads
from master.cli.backgammon.arguments import ply_option
from master.cli.backgammon.external.external_opponent import (
    ExternalOpponent,
    OpponentGoneError,
    read_place,
)
from master.cli.backgammon.playing.play_advisor import FleetAdvisor
from master.cli.backgammon.playing.play_files import BACKGAMMON_FORMATS
from master.cli.backgammon.playing.play_table import BackgammonTable, Settings
from master.cli.backgammon.playing.play_words import BackgammonWords
from master.cli.errors import CommandError, ExitCode
from master.cli.fleet_thread import FleetThread
from master.cli.jobs.watching import error_code
from master.cli.output import echo
from master.cli.place import Place, place_options
from master.cli.playing.game_file import GameFile
from master.cli.playing.play_session import sit_down
from master.cli.playing.play_terminal import login, read_name
from master.contract.errors import MasterError
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import Match
from master.games.backgammon.play.advice import TUTOR_LOSS_MIN
from master.games.backgammon.play.beginning import match_from
from master.games.backgammon.play.dice import SEED_MAX
from master.games.backgammon.play.live_match import LiveMatch
from master.games.backgammon.typed import read_id
from master.games.errors import RecordError
from protocol.address import Address

MATCH_LENGTH_DEFAULT = 5
MATCH_LENGTH_MAX = 64
PLIES_DEFAULT = 2
SEEDS_BY_CHANCE = 2**31
"""Short enough to be typed again."""


@click.command("backgammon")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--match", "length", type=CountType(1, MATCH_LENGTH_MAX), metavar="N",
    help=f"Play a match to N points.  [default: {MATCH_LENGTH_DEFAULT}]",
)  # fmt: skip
@click.option("--money", is_flag=True, help="Play money games instead, with Jacoby and beavers.")
@click.option(
    "--from", "start", metavar="ID", callback=reads(read_id),
    help="Begin at this position, with its cube, score and roll; you sit at the bottom.",
)  # fmt: skip
@ply_option("--plies", "ply", "How far the engine looks ahead.", PLIES_DEFAULT)
@ply_option(
    "--analysis-plies", "analysis_ply", "How deep the match is analysed meanwhile.", PLIES_DEFAULT
)
@click.option("--tutor", is_flag=True, help="Warn before a bad move or cube action.")
@click.option(
    "--seed", type=CountType(0, SEED_MAX), metavar="S",
    help="Dice by this seed: the same seed and moves are the same match.  [default: by chance]",
)  # fmt: skip
@click.option("--manual-dice", is_flag=True, help="You roll the dice, and type them in.")
@click.option("--auto-roll", is_flag=True, help="Roll for you where you have no use for the cube.")
@click.option(
    "--name", metavar="NAME", callback=reads(read_name), help="Your name.  [default: your login]"
)
@click.option(
    "--against", "opponent", metavar="external:HOST:PORT", callback=reads(read_place),
    help="Play against a program that serves gnubg's external protocol; also external:/PATH.",
)  # fmt: skip
@place_options
def play_backgammon(
    file: str | None,
    length: int | None,
    money: bool,
    start: GameState | None,
    ply: int,
    analysis_ply: int,
    tutor: bool,
    seed: int | None,
    manual_dice: bool,
    auto_roll: bool,
    name: str | None,
    opponent: Address | Path | None,
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
    has_length = money or length is not None
    if file is not None and (has_length or start is not None or name is not None):
        text = "FILE has its players and length: leave --match, --money, --from, --name"
        raise click.UsageError(text)
    if start is not None and has_length:
        raise click.UsageError("--from has its length and score: leave --match, --money")
    dice = None if manual_dice else random.randrange(SEEDS_BY_CHANCE) if seed is None else seed
    kept, analysis = GameFile(BACKGAMMON_FORMATS), AnalysisSettings(analysis_ply, analysis_ply)
    try:
        with ExitStack() as stack:
            other = None if opponent is None else stack.enter_context(ExternalOpponent(opponent))
            rival = f"manyply {ply}-ply" if other is None else other.name
            players = name or login(), rival
            if file:
                live = kept.load(Path(file))
            elif start is not None:
                live = LiveMatch(AnalysedMatch(match_from(start, players)))
            else:
                live = _new_match(length, players, is_money=money)
            settings = Settings(dice, TUTOR_LOSS_MIN if tutor else None, auto_roll, other)
            advisor = FleetAdvisor(
                stack.enter_context(FleetThread(place, ("backgammon",))), ply, analysis
            )
            table = BackgammonTable(live, settings, advisor, kept)
            if dice is not None:
                echo(f"Dice by seed {dice}.  help lists what you can type.")
            sit_down(table, BackgammonWords(table).commands(), "manyply play")
    except RecordError as error:
        raise CommandError(str(error)) from error
    except OpponentGoneError as error:
        raise CommandError(str(error), ExitCode.UNREACHABLE) from error
    except MasterError as error:
        raise CommandError(str(error), error_code(error)) from error


def _new_match(length: int | None, players: tuple[str, str], *, is_money: bool) -> LiveMatch:
    points = 0 if is_money else length or MATCH_LENGTH_DEFAULT
    match = Match(players, points, beavers=is_money, jacoby=is_money)
    return LiveMatch(AnalysedMatch(match))
