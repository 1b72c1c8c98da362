"""`manyply play threes`: a game of Threes!, with the engine's advice."""

from __future__ import annotations

from pathlib import Path

import click

from engine_ext.threes.context import SEED_MAX, Lookahead
from master.cli.arguments import CountType, reads
from master.cli.errors import CommandError
from master.cli.output import echo
from master.cli.place import Place, place_options
from master.cli.playing.game_file import Formats, GameFile, read_text
from master.cli.playing.keyboard import Keyboard
from master.cli.playing.play_terminal import login, read_name
from master.cli.playing.player import play_at_terminal
from master.cli.playing.unfinished import PlayCommand, continue_option, unfinished
from master.cli.threes.arguments import lookahead_options, seconds_option
from master.cli.threes.decider import Decider
from master.cli.threes.play_advisor import ThreesAdvisor
from master.cli.threes.threes_session import (
    ARROW_KEYS,
    ThreesSession,
    ThreesSettings,
    ThreesWords,
    new_game,
)
from master.games.errors import RecordError
from master.games.threes.record import (
    RECORD_CHARACTERS_MAX,
    ThreesRecord,
    read_record,
    write_record,
)

SUFFIX = ".threes"


def read_game_file(path: Path) -> tuple[ThreesRecord, str]:
    """Read the game that a file holds; return the ending of such files.

    Raises:
        RecordError: it cannot be read, or holds none.
    """
    text = read_text(path, RECORD_CHARACTERS_MAX)
    try:
        return read_record(text), SUFFIX
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None


THREES_FORMATS = Formats({SUFFIX: write_record}, read_game_file)


PLIES_DEFAULT = "2"
"""Some microseconds a move."""


class PlayThrees(PlayCommand):
    """`manyply play threes`."""

    beginning = ("seed",)


@click.command("threes", cls=PlayThrees)
@click.argument("file", required=False, metavar="[FILE]")
@continue_option
@click.option(
    "--seed", type=CountType(0, SEED_MAX), metavar="S",
    help="Seed of the cards: the same seed and moves give the same game.  [default: by chance]",
)  # fmt: skip
@lookahead_options(PLIES_DEFAULT)
@seconds_option
@click.option(
    "--auto", "is_watching", is_flag=True, help="Watch the engine play to the end, then leave."
)
@click.option(
    "--name", metavar="NAME", callback=reads(read_name),
    help="Your name.  [default: your login]",
)  # fmt: skip
@place_options
def play_threes(
    file: str | None, seed: int | None, lookahead: Lookahead, seconds: float | None,
    is_watching: bool, name: str | None, place: Place,
) -> None:  # fmt: skip
    """Play a game of Threes!, or continue the one in FILE.

    Arrow keys move at once; moves are typed as well, as u, d, l, r, or several, e.g. urrl.  `help`
    lists the rest.  FILE holds a seed and the moves made.  The game is saved as you play.

    Chance follows from the seed and the moves: moves that are taken back and made again draw the
    same cards.

    Moves that take long are valued by all cores, or by the analysers that are named; those values
    are the same on any machine.
    """
    if file is not None and seed is not None:
        raise click.UsageError("FILE has its seed: leave --seed")
    kept = GameFile(THREES_FORMATS)
    try:
        record = kept.load(Path(file)) if file else new_game(seed)
    except RecordError as error:
        raise CommandError(str(error)) from error
    settings = ThreesSettings(name or login(), is_watching)
    with Decider(place) as decider, Keyboard(ARROW_KEYS) as keyboard:
        if decider.has_own_fleet:
            decider.open_fleet()
        advisor = ThreesAdvisor(decider, lookahead, seconds)
        session = ThreesSession(record, settings, advisor, kept, keyboard.ask)
        session.unfinished = unfinished("threes")
        keys = "Arrow keys move; " if keyboard.is_open else ""
        echo(f"{keys}help lists what you can type.")
        play_at_terminal(session, ThreesWords(session).commands(), "manyply play threes")
