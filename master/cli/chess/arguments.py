"""Arguments that commands about chess share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from engine_ext import services
from engine_ext.chess.board import ChessBoard
from master.cli.arguments import reads
from master.games.chess.typed import read_typed_fen


def to_chess_board(words: Sequence[str]) -> ChessBoard:
    """Return the position of a FEN, or of an EPD's first four words; UsageError if it is none."""
    try:
        return read_typed_fen(" ".join(words))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


ENGINE_HELP = (
    "Another engine than our own: a program that speaks UCI, such as uci:stockfish or "
    "uci:stockfish,Hash=64; or, by its digest, the one that the analysers have."
)

engine_option = click.option(
    "--engine", metavar="uci:COMMAND[,OPTION=VALUE]...|DIGEST", help=ENGINE_HELP
)


def _read_tables(text: str) -> Path:
    """Return a folder of Syzygy tables; ValueError if it has none."""
    folder = Path(text).expanduser()
    if "," in text or not any(folder.glob("*.rtbw")):
        raise ValueError(f"expected a folder with Syzygy tables (*.rtbw), not {text!r}")
    return folder


syzygy_option = click.option(
    "--syzygy", metavar="DIR", callback=reads(_read_tables),
    help="Folder of Syzygy endgame tables for the program of --engine, as its option SyzygyPath. "
    "Our own engine does not read them.",
)  # fmt: skip


def engine_text(engine: str | None, syzygy: Path | None) -> str | None:
    """Return the text of --engine with its tables; UsageError if there is no program for them."""
    if syzygy is None:
        return engine
    if engine is None or is_digest(engine):
        raise click.UsageError("--syzygy is for a program: give --engine uci:COMMAND too")
    return f"{engine},SyzygyPath={syzygy}"


def is_digest(text: str) -> bool:
    """Whether the text of --engine is a digest, and names no program."""
    return re.fullmatch(f"[0-9a-f]{{{services.DIGEST_CHARS}}}", text) is not None


def chosen_engine(text: str) -> tuple[str, str]:
    """Return the digest and the name of another engine, which this process uses if it has it.

    Raises:
        BadParameter: there is no such program, or it does not speak UCI.
    """
    if is_digest(text):
        return text, f"engine {text}"
    try:
        name = services.use_engine("chess", text)
    except services.EngineChoiceError as error:
        raise click.BadParameter(str(error), param_hint="'--engine'") from error
    return services.engine_digest("chess"), name
