"""`manyply play othello`: a game of Othello against the engine."""

from __future__ import annotations

from pathlib import Path

import click

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX
from master.cli.arguments import CountType, read_seconds, reads
from master.cli.errors import CommandError
from master.cli.othello.othello_session import OthelloSession, OthelloSettings, OthelloWords
from master.cli.othello.play_advisor import LevelOpponent, OthelloAdvisor
from master.cli.output import echo
from master.cli.playing.game_file import Formats, GameFile, read_text, today
from master.cli.playing.opponent_options import (
    check_strength,
    level_option,
    seed_option,
    seed_or_chance,
)
from master.cli.playing.play_terminal import login, read_name
from master.cli.playing.player import play_at_terminal
from master.cli.playing.unfinished import PlayCommand, continue_option, unfinished
from master.games.errors import RecordError
from master.games.othello.game import game_from
from master.games.othello.level import (
    DEPTH_DEFAULT,
    DEPTH_MAX,
    EXACT_BEYOND,
    EXACT_DEFAULT,
    Level,
    exact_for,
)
from master.games.othello.record import (
    Form,
    OthelloRecord,
    read_position,
    read_record,
    write_ggf,
    write_transcript,
)
from protocol.guards.renamed_option import renamed_option

_ENDINGS = {Form.GGF: ".ggf", Form.TRANSCRIPT: ".txt", Form.BOARD: "", Form.SUITE: ""}


def read_game_file(path: Path) -> tuple[OthelloRecord, str]:
    """Read the game that a file holds, known by its content; return the ending such files have.

    Raises:
        RecordError: it cannot be read, or holds none.
    """
    text = read_text(path, GAME_CHARACTERS_MAX)
    try:
        record, form = read_record(text)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None
    return record, _ENDINGS[form]


OTHELLO_FORMATS = Formats({".ggf": write_ggf, ".txt": write_transcript}, read_game_file)


EXACT_MAX = 60

_SIDES = {"black": frozenset("X"), "white": frozenset("O"), "both": frozenset("XO")}


def _read_player(text: str) -> str:
    """Return a name that every file of a game can hold."""
    if "]" in text:
        raise ValueError("expected a name without ]")
    return read_name(text)


class PlayOthello(PlayCommand):
    """`manyply play othello`."""

    beginning = ("board",)
    rivals = ("level", "seed", "depth", "seconds")


@click.command("othello", cls=PlayOthello)
@click.argument("file", required=False, metavar="[FILE]")
@continue_option
@renamed_option(
    "--from", "board", old=["--board"], metavar="BOARD", callback=reads(read_position),
    help="Begin from this board or transcript, as of manyply search othello.",
)  # fmt: skip
@click.option(
    "--side", type=click.Choice(tuple(_SIDES)), default="black", show_default=True,
    help="Your colour; black begins.",
)  # fmt: skip
@level_option
@seed_option
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help=f"How far the engine looks ahead, also instead of its level.  "
    f"[default: {DEPTH_DEFAULT}]",
)  # fmt: skip
@click.option(
    "--exact", type=CountType(0, EXACT_MAX), metavar="N",
    help="Search to the end from N empty squares on.  "
    f"[default: {EXACT_BEYOND} more than --plies, {EXACT_DEFAULT} at most]",
)  # fmt: skip
@click.option(
    "--seconds", metavar="S", callback=reads(read_seconds),
    help="Time for each of the engine's moves, instead of --plies.",
)  # fmt: skip
@click.option("--eval", "is_evaluating", is_flag=True, help="Show the value of every move.")
@click.option(
    "--name", metavar="NAME", callback=reads(_read_player),
    help="Your name.  [default: your login]",
)  # fmt: skip
def play_othello(
    file: str | None,
    board: OthelloRecord | None,
    side: str,
    level: str | None,
    seed: int | None,
    depth: int | None,
    exact: int | None,
    seconds: float | None,
    is_evaluating: bool,
    name: str | None,
) -> None:
    """Play a game against the engine, or continue the one in FILE.

    Moves are typed as squares, e.g. f5; `help` lists the rest.  FILE holds a game in GGF, a
    transcript such as f5d6c3, or a board.  The game is saved after every move.

    The same moves get the same answers, except with --seconds, or with --level without --seed.
    """
    check_strength(level, seed, depth, seconds)
    if file is not None and board is not None:
        raise click.UsageError("FILE has its board: leave --from")
    opponent = LevelOpponent(level, seed_or_chance(seed), depth) if level else None
    depth = depth or DEPTH_DEFAULT
    effort = Level(depth, exact_for(depth) if exact is None else exact, seconds)
    engine = effort.name if opponent is None else opponent.name
    humans, kept = _SIDES[side], GameFile(OTHELLO_FORMATS)
    names = _names(humans, name or login(), engine)
    settings = OthelloSettings(humans, names, is_evaluating, opponent)
    try:
        record = kept.load(Path(file)) if file else board or _new_game()
    except RecordError as error:
        raise CommandError(str(error)) from error
    session = OthelloSession(record, settings, OthelloAdvisor(effort), kept)
    session.unfinished = unfinished("othello")
    echo("help lists what you can type.")
    way = "" if side == "black" else f" --side {side}"
    play_at_terminal(session, OthelloWords(session).commands(), f"manyply play othello{way}")


def _new_game() -> OthelloRecord:
    return OthelloRecord(game_from(OthelloBoard.start()), tags=(("DT", today().replace("-", ".")),))


def _names(humans: frozenset[str], human: str, engine: str) -> tuple[str, str]:
    """Return black's and white's."""
    black, white = (human if side in humans else engine for side in "XO")
    return black, white
