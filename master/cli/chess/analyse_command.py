"""`manyply analyse chess`: every move of recorded games, by this machine or many."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import click

from engine_ext.chess.probes.probe_text import NODES_MAX
from engine_ext.kept_digest import kept_engine_digest
from master.cli.arguments import CountType, json_option, reads
from master.cli.chess.arguments import chosen_engine, engine_option, engine_text, syzygy_option
from master.cli.drawings import drawing_option, write_drawing
from master.cli.errors import CommandError, ExitCode
from master.cli.output import (
    echo,
    echo_exactly,
    echo_lines,
    echo_notice,
    echo_part,
    end_skipped,
    say_skipped,
)
from master.cli.place import Place, place_options
from master.cli.terminal import terminal_width
from master.games.chess.analysis.judging import questions
from master.games.chess.analysis.records import ReadGame, read_records
from master.games.chess.analysis.report import (
    AnalysedGame,
    analysed,
    annotated_pgn,
    chances_svg,
    curve_line,
    error_lines,
    figure_lines,
    game_report,
    own_name,
)
from master.games.chess.review import MOVES_MAX, Reviewed, review_page
from master.games.errors import RecordError
from master.games.skipped import GameNumbers, SkippedGame, SkippedGames
from master.reports.svg_plot import stacked
from master.reports.texts import counted, printable
from protocol.guards.file_errors import file_error_text

NODES_DEFAULT = 500_000
"""A game of forty moves takes about half a minute of one core."""

ERRORS_DEFAULT = 20
ERRORS_MAX = 1_000_000

BATCH_MOVES = 10_000
"""Half-moves that are read and analysed together: a hundred games, some 20 MB."""

DRAWN_MAX = 1_000
"""Games in one drawing; more are of no use."""

WARNINGS_MAX = 1_000
"""Lines about records that disagree with themselves."""


@click.command("chess", short_help="Games in PGN.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--games", "numbers", metavar="1-50,700", callback=reads(GameNumbers.from_text),
    help="Numbers of the games in FILE.  [default: all]",
)  # fmt: skip
@click.option(
    "--nodes", type=CountType(1, NODES_MAX), default=NODES_DEFAULT, show_default=True, metavar="N",
    help="Positions to visit for each move of the games.",
)  # fmt: skip
@engine_option
@syzygy_option
@click.option(
    "--errors", "error_count", type=CountType(0, ERRORS_MAX), default=ERRORS_DEFAULT,
    show_default=True, metavar="N", help="List the N worst moves of each game.",
)  # fmt: skip
@click.option(
    "--pgn", type=click.Path(path_type=Path), metavar="OUT",
    help="Write the games with values, marks and better lines, for any chess program; comments "
    "such as clock times and variations stay.",
)  # fmt: skip
@drawing_option(
    "--html", "Write a page too: every move with its board, curves, errors; it opens offline.",
)  # fmt: skip
@drawing_option("--svg", "Draw White's winning chances.")
@place_options
@json_option
def analyse_chess(
    file: Path, numbers: GameNumbers | None, nodes: int, engine: str | None, syzygy: str | None,
    error_count: int, pgn: Path | None, html: Path | None, svg: Path | None, place: Place,
    is_json: bool,
) -> None:  # fmt: skip
    """Analyse games of chess: the value of every move, and better ones.

    FILE is in PGN, with any number of games of standard chess or Chess960. A game that cannot be
    read is named with its line and skipped; the exit code is 2 then. Recorded results stay
    as they are. Each position is searched by one thread for so many nodes, with the
    same result on every machine. Accuracy and marks follow winning chances as Lichess counts them.
    Ctrl-C stops; finished analyses are kept, and the same command goes on.

    With --engine another engine looks, here and by analysers that were started with the same one:
    manyply-analyser --engine chess=uci:stockfish. Options of the engine belong to it: they are the
    same on both sides (stockfish,Hash=64). Answers of different engines never mix.
    """
    if pgn is not None:
        _check_output(pgn, file)
    skipped, count = SkippedGames(file.name), 0
    drawn = _Drawn(html, svg)
    batches = _batches(_read(file, numbers, skipped), file.name, drawn)
    first = next(batches, [])
    chosen = engine_text(engine, syzygy)
    digest, name = (
        (kept_engine_digest("chess"), own_name()) if chosen is None else (chosen_engine(chosen))
    )
    shown = _JsonGames(digest, name, nodes) if is_json else _TextGames(error_count, name)
    for batch in chain([first], batches):
        games = _analysed(batch, digest, nodes, place, is_quiet=is_json)
        if pgn is not None:
            _write(pgn, "\n".join(annotated_pgn(game, name) for game in games), is_first=not count)
        shown.show(games)
        count += len(games)
        drawn.write(games, nodes, name)
    shown.end(skipped)
    end_skipped(skipped, count)


def _read(file: Path, numbers: GameNumbers | None, skipped: SkippedGames) -> Iterator[ReadGame]:
    """Yield a file's games; print the skipped ones, and contradictions in the records."""
    said = 0
    try:
        for game in read_records(file, numbers):
            if isinstance(game, SkippedGame):
                say_skipped(skipped, game)
                continue
            for line in game.warning_lines(file.name):
                said += 1
                if said <= WARNINGS_MAX:
                    echo_notice(printable(line))
            yield game
    except RecordError as error:
        raise CommandError(str(error)) from error
    if said > WARNINGS_MAX:
        echo_notice(f"{file.name}: {said - WARNINGS_MAX:,} more warnings; --json lists all")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The drawings of all games together; the games are held for them and therefore bounded."""

    html: Path | None
    svg: Path | None

    def __bool__(self) -> bool:
        """Return whether there is any drawing."""
        return self.html is not None or self.svg is not None

    def check(self, name: str, games: int, moves: int) -> None:
        """Refuse games that exceed the room of a drawing; CommandError."""
        if self.html is not None and moves > MOVES_MAX:
            many = f"{moves:,} moves in {counted(games, 'game')}, and a page has at most"
            raise CommandError(f"{name}: {many} {MOVES_MAX:,}: choose some with --games")
        if self.svg is not None and games > DRAWN_MAX:
            raise CommandError(f"{name}: more than {DRAWN_MAX:,} games, too many for a drawing")

    def write(self, games: Sequence[AnalysedGame], nodes: int, engine: str) -> None:
        """Write the drawings of games."""
        if self.html is not None and games:
            write_drawing(self.html, review_page(Reviewed(tuple(games), nodes, engine)))
        if self.svg is not None:
            write_drawing(self.svg, stacked([chances_svg(game) for game in games]))


def _batches(games: Iterator[ReadGame], name: str, drawn: _Drawn) -> Iterator[list[ReadGame]]:
    """Yield games in lists that are analysed one after the other: all at once if they are drawn."""
    batch, moves = list[ReadGame](), 0
    for game in games:
        batch.append(game)
        moves += len(game.record.game.moves)
        drawn.check(name, len(batch), moves)
        if moves >= BATCH_MOVES and not drawn:
            yield batch
            batch, moves = [], 0
    if batch:
        yield batch


class _TextGames:
    """Prints games for people."""

    def __init__(self, error_count: int, engine: str) -> None:
        self._error_count = error_count
        self._head = "" if engine == own_name() else f"Engine: {engine}"
        self._is_begun = False

    def show(self, games: Sequence[AnalysedGame]) -> None:
        """Print games."""
        if self._head:
            echo(self._head)
            self._head = ""
        is_numbered = self._is_begun or len(games) > 1 or any(each.number > 1 for each in games)
        for game in games:
            if self._is_begun:
                echo("")
            self._is_begun = True
            _show(game, self._error_count, is_numbered=is_numbered)

    def end(self, skipped: SkippedGames) -> None:
        """Print nothing more: the skipped games are on standard error."""


class _JsonGames:
    """Prints one object on one line, game by game: there may be more than memory holds."""

    def __init__(self, engine: str, name: str, nodes: int) -> None:
        head = {"engine": engine, "engine_name": name, "nodes": nodes}
        self._head = json.dumps(head)[:-1] + ', "games": ['
        self._between = ""

    def show(self, games: Sequence[AnalysedGame]) -> None:
        """Print games."""
        for game in games:
            echo_part(self._head + self._between + json.dumps(game_report(game), allow_nan=False))
            self._head, self._between = "", ", "

    def end(self, skipped: SkippedGames) -> None:
        """Print the skipped games, and the end."""
        echo_exactly(f"{self._head}], {json.dumps(skipped.report())[1:]}")
        self._head = ""


def _analysed(
    games: list[ReadGame], engine: str, nodes: int, place: Place, *, is_quiet: bool
) -> list[AnalysedGame]:
    # The master's modules take longer to load than a mistake takes to be named.
    from master.cli.jobs.answering import answer_by_fleet

    asked = [questions(each.record.game, engine, nodes) for each in games]
    texts = [each.to_text() for game in asked for each in game]
    found = answer_by_fleet(place, texts, is_quiet=is_quiet) if texts else []
    return list(analysed(games, [len(game) for game in asked], found))


def _show(game: AnalysedGame, error_count: int, *, is_numbered: bool) -> None:
    players = f"{printable(game.player('w'))} - {printable(game.player('b'))}"
    place = f"Game {game.number:,}: " if is_numbered else ""
    echo(f"{place}{players}, {game.record.result}", is_bold=True)
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
    """Refuse a file that could not or should not be written, before anything is computed."""
    if path.resolve() == file.resolve():
        raise CommandError(f"cannot write {path}: it is the file that is analysed")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise CommandError(f"cannot write {path}: expected a file in a directory that there is")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise CommandError(f"cannot write {path}: it may not be written", ExitCode.STORAGE)


def _write(path: Path, text: str, *, is_first: bool) -> None:
    """Write games, behind those before them unless they are the first."""
    try:
        with path.open("w" if is_first else "a", encoding="utf-8", newline="") as stream:
            stream.write(text if is_first else f"\n{text}")
    except OSError as error:
        text = f"cannot write {path}: {file_error_text(error)}"
        raise CommandError(text, ExitCode.STORAGE) from error
