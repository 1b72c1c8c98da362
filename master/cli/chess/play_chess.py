"""`manyply play chess`: a game of chess against the engine."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fen import START, read_fen
from master.cli.arguments import CountType, read_seconds, reads
from master.cli.chess.arguments import to_chess_board
from master.cli.chess.play_advisor import ChessAdvisor
from master.cli.chess.play_files import CHESS_FORMATS
from master.cli.chess.play_table import ChessSettings, ChessTable
from master.cli.chess.play_words import ChessWords
from master.cli.errors import CommandError
from master.cli.output import echo
from master.cli.playing.game_file import GameFile
from master.cli.playing.play_session import sit_down
from master.cli.playing.play_terminal import login, read_name
from master.games.chess.game import game_from
from master.games.chess.level import SECONDS_DEFAULT, Level
from master.games.chess.record import ChessRecord
from master.games.errors import RecordError

_SIDES = {"white": frozenset("w"), "black": frozenset("b"), "both": frozenset("wb")}


def _read_position(text: str) -> ChessBoard:
    """Return the position of a FEN, its counts or not; ValueError if it is none."""
    try:
        return to_chess_board([text])
    except click.UsageError as error:
        raise ValueError(error.message) from error


@click.command("chess")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--fen", "board", metavar="FEN", callback=reads(_read_position),
    help="Begin from this position, as of manyply search chess, in quotes.",
)  # fmt: skip
@click.option(
    "--side", type=click.Choice(tuple(_SIDES)), help="What you play.  [default: white]",
)  # fmt: skip
@click.option("--black", "is_black", is_flag=True, help="Play black: the same as --side black.")
@click.option(
    "--depth", type=CountType(1, DEPTH_MAX), metavar="N",
    help="How far the engine looks ahead, instead of --seconds.",
)  # fmt: skip
@click.option(
    "--seconds", "--time", "seconds", metavar="S", callback=reads(read_seconds),
    help=f"Time for each of the engine's moves.  [default: {SECONDS_DEFAULT:g}]",
)  # fmt: skip
@click.option(
    "--name", metavar="NAME", callback=reads(read_name), help="Your name.  [default: your login]",
)  # fmt: skip
def play_chess(
    file: str | None,
    board: ChessBoard | None,
    side: str | None,
    is_black: bool,
    depth: int | None,
    seconds: float | None,
    name: str | None,
) -> None:
    """Play a game against the engine, or go on with that in FILE.

    Moves are typed as they are written, e.g. Nf3, or as e2e4; `help` lists the rest.  FILE holds
    one game in PGN.  The game is saved after every move.

    With --depth the same moves get the same answers.
    """
    if depth is not None and seconds is not None:
        raise click.UsageError("--depth and --seconds exclude each other")
    if file is not None and board is not None:
        raise click.UsageError("FILE has its position: leave --fen")
    if is_black and side not in (None, "black"):
        raise click.UsageError(f"give --black or --side {side}, not both")
    side = side or ("black" if is_black else "white")
    level = Level(depth, None) if depth else Level(None, seconds or SECONDS_DEFAULT)
    humans, kept = _SIDES[side], GameFile(CHESS_FORMATS)
    settings = ChessSettings(humans, _names(humans, name or login(), level))
    try:
        record = kept.load(Path(file)) if file else _new_game(board)
    except RecordError as error:
        raise CommandError(str(error)) from error
    table = ChessTable(record, settings, ChessAdvisor(level), kept)
    echo("help lists what you can type.")
    way = "" if side == "white" else f" --side {side}"
    sit_down(table, ChessWords(table).commands(), f"manyply play chess{way}")


def _new_game(board: ChessBoard | None) -> ChessRecord:
    today = f"{datetime.now().astimezone():%Y.%m.%d}"
    return ChessRecord(game_from(board or read_fen(START)), tags=(("Date", today),))


def _names(humans: frozenset[str], human: str, level: Level) -> tuple[str, str]:
    """Return white's and black's."""
    white, black = (human if side in humans else level.name for side in "wb")
    return white, black
