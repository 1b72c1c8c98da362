"""`manyply analyse chess`: every move of recorded games, by this machine or many.

Knows options and files; judging is games.chess.analysis's, asking is jobs.answering's business.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import click

from engine_ext import services
from engine_ext.chess.looks.look_text import NODES_MAX
from engine_ext.kept_digest import kept_engine_digest
from master.cli.arguments import CountType, json_option
from master.cli.chess.analyse_table import curve_line, error_lines, figure_lines
from master.cli.drawings import drawing_option, write_drawing
from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo, echo_json, echo_lines, printable
from master.cli.place import Place, place_options
from master.cli.terminal import terminal_width
from master.games.chess.analysis.judging import questions
from master.games.chess.analysis.records import read_records
from master.games.chess.analysis.report import (
    AnalysedGame,
    analysed,
    annotated_pgn,
    chances_svg,
    game_report,
)
from master.games.chess.record import ChessRecord
from master.games.chess.review.page import MOVES_MAX, review_page
from master.games.chess.review.wording import Reviewed
from master.games.errors import RecordError
from master.reports.svg_plot import stacked
from protocol.guards.file_errors import file_error_text

NODES_DEFAULT = 500_000
"""A game of forty moves takes about half a minute of one core."""

ERRORS_DEFAULT = 20
ERRORS_MAX = 1_000_000


@click.command("chess", short_help="Games in PGN.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--nodes", type=CountType(1, NODES_MAX), default=NODES_DEFAULT, show_default=True, metavar="N",
    help="Positions to visit for each move of the games.",
)  # fmt: skip
@click.option(
    "--engine", metavar="uci:COMMAND[,OPTION=VALUE]...|DIGEST",
    help="Another engine than our own: a program that speaks UCI, such as uci:stockfish,Hash=64; "
    "or, by the digest that they tell, the one that analysers have.",
)  # fmt: skip
@click.option(
    "--errors", "error_count", type=CountType(0, ERRORS_MAX), default=ERRORS_DEFAULT,
    show_default=True, metavar="N", help="List the N worst moves of each game.",
)  # fmt: skip
@click.option(
    "--pgn", type=click.Path(path_type=Path), metavar="OUT",
    help="Write the games with values, marks and better lines, for any chess program.",
)  # fmt: skip
@drawing_option(
    "--html", "Write a page too: every move with its board, curves, errors; it opens offline.",
)  # fmt: skip
@drawing_option("--svg", "Draw White's winning chances.")
@place_options
@json_option
def analyse_chess(
    file: Path, nodes: int, engine: str | None, error_count: int, pgn: Path | None,
    html: Path | None, svg: Path | None, place: Place, is_json: bool,
) -> None:  # fmt: skip
    """Analyse games of chess: what every move was worth, and what was better.

    FILE is in PGN, with one game or many; comments and variations are passed over. Each position is
    searched by one thread for so many nodes: whoever does it, the result is the same. Accuracy and
    marks follow winning chances as Lichess counts them. Ctrl-C stops; what is analysed is kept, and
    the same command goes on.

    With --engine another engine looks, here and by analysers that were started with the same one:
    manyply-analyser --engine chess=uci:stockfish,Hash=64. Answers of different engines never mix.
    """
    if pgn is not None:
        _check_output(pgn, file)
    try:
        records = read_records(file)
    except RecordError as error:
        raise CommandError(str(error)) from error
    moves = sum(len(record.game.moves) for record in records)
    if html is not None and moves > MOVES_MAX:
        raise CommandError(f"{file.name}: {moves:,} moves, and a page has at most {MOVES_MAX:,}")
    digest = _chosen_engine(engine)
    games = _analysed(records, digest, nodes, place, is_quiet=is_json)
    if pgn is not None:
        _write(pgn, "\n".join(annotated_pgn(game) for game in games))
    if html is not None and games:
        write_drawing(html, review_page(Reviewed(tuple(games), nodes, digest)))
    if svg is not None:
        write_drawing(svg, stacked([chances_svg(game) for game in games]))
    if is_json:
        echo_json({"engine": digest, "nodes": nodes, "games": [game_report(one) for one in games]})
        return
    for number, game in enumerate(games, 1):
        if number > 1:
            echo("")
        _show(game, number, len(games), error_count)


def _chosen_engine(text: str | None) -> str:
    """Return the digest of the engine that is to look, which this process uses if it has it."""
    if text is None:
        return kept_engine_digest("chess")
    if re.fullmatch(f"[0-9a-f]{{{services.DIGEST_CHARS}}}", text):
        return text
    try:
        services.use_engine("chess", text)
    except services.EngineChoiceError as error:
        raise click.BadParameter(str(error), param_hint="'--engine'") from error
    return services.engine_digest("chess")


def _analysed(
    records: list[ChessRecord], engine: str, nodes: int, place: Place, *, is_quiet: bool
) -> list[AnalysedGame]:
    # The master's modules take longer to load than a mistake takes to be named.
    from master.cli.jobs.answering import answer_by_fleet  # noqa: PLC0415

    asked = [questions(record.game, engine, nodes) for record in records]
    texts = [each.to_text() for game in asked for each in game]
    found = answer_by_fleet(place, texts, is_quiet=is_quiet) if texts else []
    return list(analysed(records, [len(game) for game in asked], found))


def _show(game: AnalysedGame, number: int, count: int, error_count: int) -> None:
    players = f"{printable(game.player('w'))} - {printable(game.player('b'))}"
    place = f"Game {number}: " if count > 1 else ""
    echo(f"{place}{players}, {game.record.game.result}", is_bold=True)
    if not game.moves:
        echo("no moves")
        return
    echo_lines(figure_lines(game))
    echo(f"White's chances: {curve_line(game)}")
    errors = error_lines(game, error_count, terminal_width())
    if errors:
        echo("")
        echo_lines(errors)


def _check_output(path: Path, file: Path) -> None:
    """Refuse what could not or should not be written, before anything is computed."""
    if path.resolve() == file.resolve():
        raise CommandError(f"cannot write {path}: it is the file that is analysed")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise CommandError(f"cannot write {path}: expected a file in a directory that there is")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise CommandError(f"cannot write {path}: it may not be written", ExitCode.STORAGE)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        text = f"cannot write {path}: {file_error_text(error)}"
        raise CommandError(text, ExitCode.STORAGE) from error
