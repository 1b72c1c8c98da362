"""`manyply play chess`: a game of chess against the engine."""

from __future__ import annotations

from pathlib import Path

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fen import START, read_fen
from master.cli.arguments import CountType, read_seconds, reads
from master.cli.chess.arguments import to_chess_board
from master.cli.chess.chess_session import ChessSession, ChessSettings, ChessWords
from master.cli.chess.play_advisor import (
    SECONDS_DEFAULT,
    ChessAdvisor,
    Level,
    LevelOpponent,
)
from master.cli.errors import CommandError
from master.cli.output import echo, echo_notice
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
from master.games.chess.analysis.records import EXPECTED, WARNINGS_MAX
from master.games.chess.game import game_from
from master.games.chess.pgn.reading import read_pgn
from master.games.chess.pgn.splitting import is_like_pgn, split_games
from master.games.chess.record import GAME_CHARACTERS_MAX, ChessRecord, write_pgn
from master.games.errors import RecordError
from master.reports.texts import printable
from protocol.guards.renamed_option import renamed_option


def read_game_file(path: Path) -> tuple[ChessRecord, str]:
    """Return the game of a file, and the ending of files that hold all of it.

    The ending is empty if the file has comments or variations, or a position that was mended: they
    would be lost. Contradictions in the file are printed.

    Raises:
        RecordError: it cannot be read, or holds none, or several.
    """
    text = read_text(path, GAME_CHARACTERS_MAX)
    try:
        read = read_pgn(text)
    except ValueError as error:
        content = text.encode()
        if not is_like_pgn(content):
            raise RecordError(f"{path}: {EXPECTED}") from None
        lines = content.splitlines(keepends=True)
        count = sum(1 for _ in split_games(lines, lambda _: False))
        if count > 1:
            raise RecordError(f"{path} has {count:,} games, expected one") from None
        raise RecordError(f"{path}: {error}") from None
    for warning in read.warnings[:WARNINGS_MAX]:
        echo_notice(printable(f"{path.name}: {warning}"))
    return read.record, ".pgn" if read.is_whole else ""


CHESS_FORMATS = Formats({".pgn": write_pgn}, read_game_file)


_SIDES = {"white": frozenset("w"), "black": frozenset("b"), "both": frozenset("wb")}


def _read_position(text: str) -> ChessBoard:
    """Return the position of a FEN, its counts or not; ValueError if it is none."""
    try:
        return to_chess_board([text])
    except click.UsageError as error:
        raise ValueError(error.message) from error


class PlayChess(PlayCommand):
    """`manyply play chess`."""

    beginning = ("board",)
    rivals = ("level", "seed", "depth", "seconds")


@click.command("chess", cls=PlayChess)
@click.argument("file", required=False, metavar="[FILE]")
@continue_option
@renamed_option(
    "--from", "board", old=["--fen"], metavar="FEN", callback=reads(_read_position),
    help="Begin from this position, as of manyply search chess, in quotes.",
)  # fmt: skip
@click.option(
    "--side", type=click.Choice(tuple(_SIDES)), help="Your colour.  [default: white]",
)  # fmt: skip
@click.option("--black", "is_black", is_flag=True, hidden=True)
@level_option
@seed_option
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help="How far the engine looks ahead, instead of --seconds or as far as its level.",
)  # fmt: skip
@renamed_option(
    "--seconds", "seconds", old=["--time"], metavar="S", callback=reads(read_seconds),
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
    level: str | None,
    seed: int | None,
    depth: int | None,
    seconds: float | None,
    name: str | None,
) -> None:
    """Play a game against the engine, or continue the one in FILE.

    Moves are typed as they are written, e.g. Nf3, or as e2e4; `help` lists the rest.  FILE holds
    one game in PGN.  The game is saved after every move.

    With --plies the same moves get the same answers, and so they do with --level and --seed.
    """
    check_strength(level, seed, depth, seconds)
    if file is not None and board is not None:
        raise click.UsageError("FILE has its position: leave --from")
    if is_black and side not in (None, "black"):
        raise click.UsageError(f"give --black or --side {side}, not both")
    side = side or ("black" if is_black else "white")
    effort = Level(depth, None) if depth else Level(None, seconds or SECONDS_DEFAULT)
    opponent = LevelOpponent(level, seed_or_chance(seed), depth) if level else None
    engine = effort.name if opponent is None else opponent.name
    humans, kept = _SIDES[side], GameFile(CHESS_FORMATS)
    settings = ChessSettings(humans, _names(humans, name or login(), engine), opponent)
    try:
        record = kept.load(Path(file)) if file else _new_game(board)
    except RecordError as error:
        raise CommandError(str(error)) from error
    session = ChessSession(record, settings, ChessAdvisor(effort), kept)
    session.unfinished = unfinished("chess")
    echo("help lists what you can type.")
    way = "" if side == "white" else f" --side {side}"
    play_at_terminal(session, ChessWords(session).commands(), f"manyply play chess{way}")


def _new_game(board: ChessBoard | None) -> ChessRecord:
    date = today().replace("-", ".")
    return ChessRecord(game_from(board or read_fen(START)), tags=(("Date", date),))


def _names(humans: frozenset[str], human: str, engine: str) -> tuple[str, str]:
    """Return white's and black's."""
    white, black = (human if side in humans else engine for side in "wb")
    return white, black
