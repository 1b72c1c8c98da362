"""`manyply analyse chess`: every move of recorded games, by this machine or many."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Protocol

import click

from engine_ext import services
from engine_ext.chess.probes.probe_text import DEPTH_MAX, NODES_MAX
from engine_ext.kept_digest import kept_engine_digest
from master.cli.arguments import CountType, json_option, read_seconds, reads
from master.cli.chess.analyse_files import NODES_DEFAULT, Effort, GameFiles, effort_of
from master.cli.chess.arguments import (
    chosen_engine,
    engine_option,
    engine_text,
    syzygy_option,
    with_engine,
)
from master.cli.drawings import (
    PRINTED,
    check_outputs,
    check_place,
    drawing_option,
    refusal_of,
    text_option,
    write_drawing,
)
from master.cli.errors import CommandError
from master.cli.output import (
    echo,
    echo_exactly,
    echo_lines,
    echo_part,
    echo_written,
)
from master.cli.place import Place, place_options
from master.cli.terminal import terminal_width
from master.games.chess.analysis.judging import PlayerFigures, questions, total_figures
from master.games.chess.analysis.records import ReadGame, sides_called
from master.games.chess.analysis.report import (
    AnalysedGame,
    analysed,
    annotated_pgn,
    chances_svg,
    curve_line,
    error_lines,
    figure_lines,
    figures_report,
    game_report,
    own_name,
    text_lines,
    total_lines,
)
from master.games.chess.review import MOVES_MAX, Reviewed, review_page
from master.games.skipped import GameNumbers
from master.reports.svg_plot import stacked
from master.reports.texts import counted, printable
from protocol.guards.renamed_option import renamed_option

ERRORS_DEFAULT = 20
ERRORS_MAX = 1_000_000

BATCH_MOVES = 10_000
"""Half-moves that are read and analysed together: a hundred games, some 20 MB."""

DRAWN_MAX = 1_000
"""Games in one drawing; more are of no use."""


@click.command("chess", short_help="Games in PGN.")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "--games", "numbers", metavar="1-50,700", callback=reads(GameNumbers.from_text),
    help="Numbers of the games in FILE.  [default: all]",
)  # fmt: skip
@click.option(
    "--player", metavar="NAME",
    help="Only games of this player: a name, or a part of it such as the family name. Only this "
    "player's errors are listed.",
)  # fmt: skip
@click.option(
    "--nodes", type=CountType(1, NODES_MAX), metavar="N",
    help="Positions to visit for each move of the games.  "
    f"[default: {NODES_DEFAULT:,}, unless --plies or --seconds is given]",
)  # fmt: skip
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help="Plies to look ahead for each move, and further where it matters.",
)  # fmt: skip
@renamed_option(
    "--seconds", "seconds", old=["--time"], metavar="S", callback=reads(read_seconds),
    help="Seconds of one core for each move, as --nodes that this machine visits in them.",
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
@text_option()
@place_options
@json_option
def analyse_chess(
    files: tuple[Path, ...], numbers: GameNumbers | None, player: str | None, nodes: int | None,
    depth: int | None, seconds: float | None, engine: str | None, syzygy: str | None,
    error_count: int, pgn: Path | None, html: Path | None, svg: Path | None, text: Path | None,
    place: Place, is_json: bool,
) -> None:  # fmt: skip
    """Analyse games of chess: the value of every move, and better ones.

    Each FILE is in PGN, with any number of games of standard chess or Chess960. A game that cannot
    be read is skipped, with the line that is wrong; the exit code is 2 then. Words behind the last
    move, such as "White resigns", are named and left out. Recorded results stay as they are. Each
    position is searched by one thread for so many nodes, or to a --plies, with the same result on
    every machine. Accuracy and marks follow winning chances as Lichess counts them. Ctrl-C stops;
    finished analyses are kept, and the same command goes on.

    With --engine another engine analyses, here and by analysers started with the same one:
    manyply-analyser --engine uci:stockfish. Options of the engine belong to it: they are the
    same on both sides (uci:stockfish,Hash=64). Answers of different engines never mix.
    """
    if numbers is not None and len(files) > 1:
        raise click.UsageError("--games is about the games of one FILE")
    if text == PRINTED and is_json:
        raise click.UsageError("--json prints, and so does --text -: give it a file")
    outputs = {"--pgn": pgn, "--text": text, "--html": html, "--svg": svg}
    check_outputs(files, outputs)
    if pgn is not None:
        check_place(pgn)
    read, drawn, count = GameFiles(files, numbers, player), _Drawn(html, svg), 0
    batches = _batches(read.games(), read.title, drawn)
    first = next(batches, [])
    chosen = engine_text(engine, syzygy)
    if chosen is None:
        digest, name = kept_engine_digest("chess", services.engine_digest), own_name()
    else:
        digest, name = chosen_engine(chosen)
        place = with_engine(place, chosen)
    effort = effort_of(nodes, depth, seconds, chosen, digest)
    shown = list[_Shown]()
    if is_json:
        shown.append(_JsonGames(digest, name, effort, player))
    elif text != PRINTED:
        shown.append(_TextGames(error_count, name, read, player))
    if text is not None:
        shown.append(_PlainText(text, Reviewed((), effort.nodes, name, effort.depth), read, player))
    for batch in chain([first], batches):
        games = _analysed(batch, digest, effort, place, is_quiet=is_json)
        if pgn is not None:
            pgns = "\n".join(annotated_pgn(game, name) for game in games)
            _write(pgn, f"\n{pgns}" if count else pgns, is_first=not count)
        for each in shown:
            each.show(games)
        count += len(games)
        drawn.write(games, effort, name)
    for each in shown:
        each.end(read)
    read.end(count)


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

    def write(self, games: Sequence[AnalysedGame], effort: Effort, engine: str) -> None:
        """Write the drawings of games; those of several files are numbered through."""
        if self.html is not None and games:
            if len({game.file for game in games}) > 1:
                games = [replace(game, number=at) for at, game in enumerate(games, 1)]
            reviewed = Reviewed(tuple(games), effort.nodes, engine, effort.depth)
            write_drawing(self.html, review_page(reviewed))
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


class _PlayerTotal:
    """The figures of one player over all games."""

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.games = 0
        self.figures: PlayerFigures | None = None

    def add(self, games: Sequence[AnalysedGame]) -> None:
        """Count games."""
        if self.player is None:
            return
        for game in games:
            self.games += 1
            own = [game.figures(side) for side in sides_called(game.record, self.player)]
            self.figures = total_figures([*own, *filter(None, [self.figures])])

    def lines(self) -> list[str]:
        """Return a heading and the figures; nothing for fewer than two games."""
        if self.figures is None or self.games <= 1:
            return []
        heading = f"{printable(self.player or '')}, {counted(self.games, 'game')}"
        return [heading, *total_lines(self.figures)]


class _Shown(Protocol):
    """A form in which games are printed or written, batch by batch."""

    def show(self, games: Sequence[AnalysedGame]) -> None:
        """Show games."""

    def end(self, files: GameFiles) -> None:
        """Show the end."""


class _TextGames:
    """Prints games for people."""

    def __init__(self, error_count: int, engine: str, files: GameFiles, player: str | None) -> None:
        self._error_count = error_count
        self._files = files
        self._total = _PlayerTotal(player)
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
            self._show(game, is_numbered=is_numbered)
        self._total.add(games)

    def _show(self, game: AnalysedGame, *, is_numbered: bool) -> None:
        echo(_heading(game, self._files, is_numbered=is_numbered), is_bold=True)
        if not game.moves:
            echo("no moves")
            return
        echo_lines(figure_lines(game))
        echo(f"White's chances: {curve_line(game)}")
        player = self._total.player
        sides = "wb" if player is None else sides_called(game.record, player)
        errors = error_lines(game, self._error_count, terminal_width(), sides)
        if errors:
            echo("")
            echo_lines(errors)

    def end(self, files: GameFiles) -> None:
        """Print the player's figures over several games; skipped games are on standard error."""
        if lines := self._total.lines():
            echo("")
            echo(lines[0], is_bold=True)
            echo_lines(lines[1:])


def _heading(game: AnalysedGame, files: GameFiles, *, is_numbered: bool) -> str:
    """Return players and result of a game, behind its place."""
    players = f"{printable(game.player('w'))} - {printable(game.player('b'))}"
    place = f"Game {game.number:,}: " if is_numbered else ""
    if files.is_several:
        place = f"{printable(game.file)}, game {game.number:,}: "
    return f"{place}{players}, {game.record.result}"


class _PlainText:
    """Writes games with their boards to a file, or prints them: game by game."""

    def __init__(self, path: Path, review: Reviewed, files: GameFiles, player: str | None) -> None:
        self._path = path
        self._analysis = f"{review.effort}, {review.engine}"
        self._files = files
        self._total = _PlayerTotal(player)
        self._is_begun = False

    def show(self, games: Sequence[AnalysedGame]) -> None:
        """Write games."""
        self._total.add(games)
        for game in games:
            heading = _heading(game, self._files, is_numbered=True)
            self._write(text_lines(game, heading, self._analysis))

    def _write(self, lines: Sequence[str]) -> None:
        said = "\n".join(["", "", *lines] if self._is_begun else lines)
        if self._path == PRINTED:
            echo_exactly(said)
        else:
            _write(self._path, f"{said}\n", is_first=not self._is_begun)
        self._is_begun = True

    def end(self, files: GameFiles) -> None:
        """Write the player's figures over several games."""
        if lines := self._total.lines():
            self._write(lines)
        if self._path != PRINTED and self._is_begun:
            echo_written(self._path)


class _JsonGames:
    """Prints one object on one line, game by game: there may be more than memory holds."""

    def __init__(self, engine: str, name: str, effort: Effort, player: str | None) -> None:
        depth = effort.depth or None
        head = {"engine": engine, "engine_name": name, "nodes": effort.nodes, "depth": depth}
        self._head = json.dumps(head)[:-1] + ', "games": ['
        self._total = _PlayerTotal(player)
        self._between = ""

    def show(self, games: Sequence[AnalysedGame]) -> None:
        """Print games."""
        for game in games:
            echo_part(self._head + self._between + json.dumps(game_report(game), allow_nan=False))
            self._head, self._between = "", ", "
        self._total.add(games)

    def end(self, files: GameFiles) -> None:
        """Print the skipped games, the player's figures, and the end."""
        total, player = self._total, None
        if total.figures is not None:
            player = {"name": total.player, "games": total.games, **figures_report(total.figures)}
        echo_exactly(f"{self._head}], {json.dumps(files.report() | {'player': player})[1:]}")
        self._head = ""


def _analysed(
    games: list[ReadGame], engine: str, effort: Effort, place: Place, *, is_quiet: bool
) -> list[AnalysedGame]:
    # The master's modules take longer to load than a mistake takes to be named.
    from master.cli.jobs.answering import answer_by_fleet

    asked = [questions(each.record.game, engine, effort.nodes, effort.depth) for each in games]
    texts = [each.to_text() for game in asked for each in game]
    found = answer_by_fleet(place, texts, is_quiet=is_quiet) if texts else []
    return list(analysed(games, [len(game) for game in asked], found))


def _write(path: Path, text: str, *, is_first: bool) -> None:
    """Write a text, behind those before it unless it is the first."""
    try:
        with path.open("w" if is_first else "a", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as error:
        raise refusal_of(path, error) from error
