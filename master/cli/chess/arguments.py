"""Arguments that commands about chess share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from engine_ext import services
from engine_ext.chess.board import ChessBoard
from engine_ext.contexts import DIGEST_CHARS, EngineChoiceError
from master.cli.arguments import reads, together
from master.cli.place import Place
from master.config.fleet_specs import with_arguments
from master.games.chess.book.polyglot import BookError, PolyglotBook
from master.games.chess.typed import read_typed_fen
from protocol.guards.home_paths import home_path


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


USUAL_TABLES = ("~/syzygy", "~/.local/share/syzygy", "/usr/local/share/syzygy", "/usr/share/syzygy")
"""Where programs and people keep Syzygy tables."""


def tables_in(folder: Path) -> str:
    """Return the folders with Syzygy tables, itself or in it, as SyzygyPath; empty: none."""
    try:
        inner = sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        inner = []
    return os.pathsep.join(str(each) for each in (folder, *inner) if any(each.glob("*.rtbw")))


def usual_tables() -> str:
    """Return the first of USUAL_TABLES that has tables, as SyzygyPath; empty: none."""
    found = (tables_in(home_path(folder)) for folder in USUAL_TABLES)
    return next(filter(None, found), "")


def _read_tables(text: str) -> str:
    """Return the folders of Syzygy tables; ValueError if there are none."""
    found = tables_in(home_path(text))
    if not found or "," in found:
        raise ValueError(f"expected a folder with Syzygy tables (*.rtbw), not {text!r}")
    return found


syzygy_option = click.option(
    "--syzygy", metavar="DIR", callback=reads(_read_tables),
    help="Folder of Syzygy endgame tables for the program of --engine, as its option SyzygyPath. "
    "Our own engine does not read them.",
)  # fmt: skip


def engine_text(engine: str | None, syzygy: str | None) -> str | None:
    """Return the text of --engine with its tables; UsageError if there is no program for them."""
    if syzygy is None:
        return engine
    if engine is None or is_digest(engine):
        raise click.UsageError("--syzygy is for a program: give --engine uci:COMMAND too")
    return f"{engine},SyzygyPath={syzygy}"


def with_engine(place: Place, engine: str) -> Place:
    """Return the place whose analysers of --fleet local and ssh are started with an engine."""
    if is_digest(engine):
        return place
    words = ("--engine", f"chess={engine}")
    analysers = tuple(with_arguments(entry, words) for entry in place.analysers)
    return replace(place, analysers=analysers)


def is_digest(text: str) -> bool:
    """Whether the text of --engine is a digest, and names no program."""
    return re.fullmatch(f"[0-9a-f]{{{DIGEST_CHARS}}}", text) is not None


def chosen_engine(text: str) -> tuple[str, str]:
    """Return the digest and the name of another engine, which this process uses if it has it.

    Raises:
        BadParameter: there is no such program, or it does not speak UCI.
    """
    if is_digest(text):
        return text, f"engine {text}"
    try:
        name = services.use_engine("chess", text)
    except EngineChoiceError as error:
        raise click.BadParameter(str(error), param_hint="'--engine'") from error
    return services.engine_digest("chess"), name


BOOK_FOLDERS = (
    "~/.local/share/manyply", "~/.local/share/polyglot", "/usr/local/share/polyglot",
    "/usr/share/polyglot", "/usr/share/games/polyglot", "/usr/share/games/gnuchess",
    "/usr/share/games/fruit", "/usr/share/scid/books",
)  # fmt: skip
"""Where programs and people keep Polyglot books; GNU Chess, Fruit and Scid have some."""

BOOKS_MAX = 100
"""Files that are tried in a folder; one with more has other things."""


def usual_book() -> PolyglotBook | None:
    """Return the first book of the usual folders, by name in each; None: there is none."""
    for folder in BOOK_FOLDERS:
        for path in sorted(home_path(folder).glob("*.bin"))[:BOOKS_MAX]:
            try:
                return PolyglotBook(path)
            except BookError:
                continue  # other programs have other files of that name
    return None


def _read_book(text: str) -> PolyglotBook:
    return PolyglotBook(home_path(text))


def book_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of an opening book; the command is given them as `book`, `is_bookless`."""
    return together(
        click.option(
            "--book", metavar="FILE", callback=reads(_read_book),
            help="Opening book in the Polyglot format, for moves of a game by the clock: its "
            "heaviest move is played.  [default: the first one in ~/.local/share/manyply, or of "
            "GNU Chess, Fruit or Scid where they are installed]",
        ),
        click.option("--no-book", "is_bookless", is_flag=True, help="Use no opening book."),
    )(function)  # fmt: skip
