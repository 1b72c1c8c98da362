"""`manyply analyse othello`: every move of recorded games, by this machine or many."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import click

from engine_ext.kept_digest import kept_engine_digest
from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, answer
from engine_ext.services import engine_digest
from master.cli.arguments import CountType, json_option, read_seconds, reads
from master.cli.drawings import (
    PRINTED,
    check_outputs,
    drawing_option,
    text_option,
    write_drawing,
)
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.cli.othello.play_advisor import OthelloAdvisor
from master.cli.othello.search_alone import status_line
from master.cli.output import (
    echo,
    echo_exactly,
    echo_json,
    echo_lines,
    echo_notice,
    end_skipped,
    say_skipped,
)
from master.cli.place import Place, place_options
from master.games.errors import RecordError
from master.games.othello.analysis.judging import (
    BOTH,
    AnalysedGame,
    JudgedMove,
    answered,
    judged,
    questions,
)
from master.games.othello.analysis.records import read_record_file
from master.games.othello.analysis.report import (
    error_lines,
    figure_lines,
    game_report,
    heading,
    text_lines,
)
from master.games.othello.front import FRONT
from master.games.othello.level import (
    DEPTH_DEFAULT,
    DEPTH_MAX,
    EXACT_BEYOND,
    EXACT_DEFAULT,
    Level,
    exact_for,
)
from master.games.othello.review import GAMES_MAX, Reviewed, level_words, review_page
from master.games.recognised import files_within, game_of
from master.games.skipped import GameNumbers, SkippedGames
from master.reports.report import Report
from master.reports.texts import printable
from protocol.guards.renamed_option import renamed_option


class _Watch:
    """Shows where the analysis is, once it takes time."""

    def __init__(self, progress: ProgressDisplay) -> None:
        self._progress = progress
        self._started = time.perf_counter()
        self.place = ""

    def search(self, question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        """Search, and show the progress; return the answer, or the result at the limit."""
        steps, started = answer(question), time.perf_counter()
        while True:
            try:
                status = next(steps)
            except StopIteration as end:
                found: BoardAnswer = end.value
                return found
            now = time.perf_counter()
            if limit_s is not None and now - started >= limit_s:
                return status
            if now - self._started >= FIRST_PLAIN_S:
                line = status_line(status, now - started)
                self._progress.draw_line(f"{self.place}: {line}")


def analyse_alone(
    asked: Sequence[AnalysedGame], level: Level, games: list[AnalysedGame], *, is_quiet: bool
) -> bool:
    """Analyse games into a list; return whether Ctrl-C ended it, and print that."""
    with ProgressDisplay(is_quiet=is_quiet) as progress:
        watch = _Watch(progress)
        try:
            for place, game in enumerate(asked, 1):
                title = f"game {place} of {len(asked)}"
                games.append(replace(game, moves=_moves(game, level, watch, title)))
        except KeyboardInterrupt:
            progress.show_text(f"stopped; {len(games)} of {len(asked)} games are analysed")
            return True
    return False


def _moves(game: AnalysedGame, level: Level, watch: _Watch, title: str) -> tuple[JudgedMove, ...]:
    """Judge a game's moves, saying where it is."""
    advisor, moves = OthelloAdvisor(level, watch.search), list[JudgedMove]()
    count = len(game.record.game.turns)
    watch.place = f"{title}, move 1 of {count}"
    for move in judged(game.record, advisor.judge_in_time, game.sides):
        moves.append(move)
        watch.place = f"{title}, move {move.number + 2} of {count}"
    return tuple(moves)


ERRORS_DEFAULT = 10
ERRORS_MAX = 60

EXACT_MAX = 60


@click.command("othello", short_help="Games in WTHOR's format, GGF or transcripts.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True,
                type=click.Path(path_type=Path))  # fmt: skip
@click.option("--player", metavar="NAME", help="Analyse only this player's moves.")
@click.option(
    "--games", "numbers", metavar="LIST", callback=reads(GameNumbers.from_text),
    help="Analyse only these games of a file, e.g. 1,3 or 2-4.",
)  # fmt: skip
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help=f"Moves to look ahead.  [default: {DEPTH_DEFAULT}]",
)  # fmt: skip
@click.option(
    "--exact", type=CountType(0, EXACT_MAX), metavar="N",
    help="Judge moves by exact scores from N empty squares on.  "
    f"[default: {EXACT_BEYOND} more than --plies, {EXACT_DEFAULT} at most]",
)  # fmt: skip
@click.option(
    "--seconds", metavar="S", callback=reads(read_seconds),
    help="Time limit for each position, by one thread here, instead of --plies; exact scores "
    "have no limit.",
)  # fmt: skip
@click.option(
    "--errors", "error_count", type=CountType(0, ERRORS_MAX), default=ERRORS_DEFAULT,
    show_default=True, metavar="N", help="List the N worst moves of each game.",
)  # fmt: skip
@drawing_option(
    "--html", "Write a page of all moves, boards and curves: one file for any browser.",
)  # fmt: skip
@text_option()
@place_options
@json_option
def analyse_othello(
    files: tuple[Path, ...], player: str | None, numbers: GameNumbers | None, depth: int | None,
    exact: int | None, seconds: float | None, error_count: int, html: Path | None,
    text: Path | None, place: Place, is_json: bool,
) -> None:  # fmt: skip
    """Analyse games of Othello: the loss of every move, and better ones.

    FILE is a .wtb file of the French federation's database (names come from the only .jou and .trn
    files beside it), games in GGF, or transcripts such as f5d6c3, one a line; or a folder of them.

    Accuracy is the share of moves that gave nothing away, where there was a choice. The same games
    get the same values on any machine, except with --seconds. Ctrl-C stops; finished analyses
    are kept, and the same command goes on.
    """
    if depth is not None and seconds is not None:
        raise click.UsageError("--plies and --seconds exclude each other")
    if text == PRINTED and is_json:
        raise click.UsageError("--json prints, and so does --text -: give it a file")
    check_outputs(files, {"--html": html, "--text": text})
    skips, bad = list[SkippedGames](), list[str]()
    asked = _of_player(list(_chosen(files, numbers, skips, bad)), player)
    if html is not None and len(asked) > GAMES_MAX:
        names = ", ".join(file.name for file in files)
        raise CommandError(
            f"{names}: {len(asked)} games, and a page has at most {GAMES_MAX}: choose some "
            "with --games"
        )
    depth = depth or DEPTH_DEFAULT
    if seconds is not None and (place.is_here or place.master is not None):
        raise click.UsageError("--seconds is for one thread here: leave out --workers, --analyser, "
                               "--fleet and --master")  # fmt: skip
    level = Level(depth, exact_for(depth) if exact is None else exact, seconds)
    games: list[AnalysedGame] = []
    is_stopped = False
    if seconds is None:
        games = _analysed(asked, level, place, is_quiet=is_json)
    else:
        is_stopped = analyse_alone(asked, level, games, is_quiet=is_json)
    if text != PRINTED:
        _show(games, level, error_count, skips if is_json else None)
    _write(games, level, html, text)
    if is_stopped:
        raise SystemExit(ExitCode.INTERRUPTED)
    for skipped in skips:
        if skipped.count and len(files) == 1:
            end_skipped(skipped, len(games))
    if bad or any(skipped.count for skipped in skips):
        raise SystemExit(ExitCode.BAD_INPUT)


FOLDER_FILES_MAX = 1_000
"""Of one folder; more would be hours of work by mistake."""


def _chosen(
    paths: Sequence[Path], numbers: GameNumbers | None, skips: list[SkippedGames], bad: list[str]
) -> Iterator[AnalysedGame]:
    """Yield the games of files, without their moves, and name those that cannot be read.

    Args:
        paths: files, and folders of them.
        numbers: of the games; None: all.
        skips: is given the games of each file that are malformed.
        bad: of several files is given those that cannot be read, which are named.

    Raises:
        CommandError: the only file cannot be read, or none of several.
    """
    files = [file for path in paths for file in _files(path)]
    if len(files) > 1 and numbers is not None:
        raise CommandError("--games is for one file, and these are several")
    count = 0
    for file in dict.fromkeys(files):
        try:
            chosen = read_record_file(file).chosen(numbers)
        except RecordError as error:
            if len(files) == 1:
                raise CommandError(str(error)) from error
            bad.append(str(error))
            echo_notice(printable(str(error)))
            continue
        skips.append(SkippedGames(file.name))
        for each in chosen.skipped:
            say_skipped(skips[-1], each)
        name = str(file) if len(files) > 1 else ""
        count += len(chosen.records)
        yield from (AnalysedGame(n, record, (), file=name) for n, record in chosen.records)
    if bad and not count:
        raise CommandError("no file has a game")


def _files(path: Path) -> list[Path]:
    """Return a file, or the records of Othello in a folder."""
    if not path.is_dir():
        return [path]
    found = list(islice(files_within(path), FOLDER_FILES_MAX + 1))
    if len(found) > FOLDER_FILES_MAX:
        raise CommandError(f"{path}: more than {FOLDER_FILES_MAX:,} files: name fewer at once")
    own = [file for file in found if game_of(file, [("othello", FRONT)])]
    if not own:
        raise CommandError(f"{path}: no games of Othello in this folder")
    return own


def _of_player(games: list[AnalysedGame], name: str | None) -> list[AnalysedGame]:
    """Return the games of a player, whose moves alone are looked at; None: all games."""
    if name is None:
        return games
    wanted, own = _plain(name), list[AnalysedGame]()
    for game in games:
        players = zip(BOTH, (game.record.black, game.record.white), strict=True)
        if sides := tuple(side for side, player in players if _plain(player) == wanted):
            own.append(replace(game, sides=sides))
    if games and not own:
        names = sorted({p for g in games for p in (g.record.black, g.record.white) if p})
        listed = ", ".join(map(repr, names[:NAMES_MAX])) + ", ..." * (len(names) > NAMES_MAX)
        known = f"the players are {listed}" if names else "the games have no names"
        raise CommandError(printable(f"nobody is called {name!r}: {known}"))
    return own


NAMES_MAX = 8
"""Players named in the error about a name that no player has."""


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _analysed(
    asked: Sequence[AnalysedGame], level: Level, place: Place, *, is_quiet: bool
) -> list[AnalysedGame]:
    # The master's modules take longer to load than a mistake takes to be named.
    from master.cli.jobs.answering import answer_by_fleet

    engine = kept_engine_digest("othello", engine_digest)
    questioned = [questions(game.record, level, engine, game.sides) for game in asked]
    texts = [each.to_text() for game in questioned for each in game]
    found = answer_by_fleet(place, texts, is_quiet=is_quiet) if texts else []
    return list(answered(asked, [len(game) for game in questioned], found))


def _write(
    games: Sequence[AnalysedGame], level: Level, html: Path | None, text: Path | None
) -> None:
    """Write the page and the text; games of several files get numbers of their own on a page."""
    if html is not None and games:
        numbered = games
        if games[0].file:
            numbered = [replace(game, number=place) for place, game in enumerate(games, 1)]
        write_drawing(html, review_page(Reviewed(tuple(numbered), level)))
    if text is None:
        return
    said = [line for game in games for line in (*text_lines(game, level_words(level)), "", "")]
    if text == PRINTED:
        echo_exactly("\n".join(said).rstrip("\n"))
    else:
        write_drawing(text, "\n".join(said).rstrip("\n") + "\n")


def _show(
    games: Sequence[AnalysedGame],
    level: Level,
    error_count: int,
    reported: Sequence[SkippedGames] | None,
) -> None:
    """Print the games, or report them together with those that were skipped."""
    if reported is not None:
        depth = level.depth if level.seconds is None else None
        echo_json({
            "depth": depth, "exact": level.exact_empties, "seconds": level.seconds,
            "games": [game_report(game) for game in games], **_skipped_report(reported),
        })  # fmt: skip
        return
    for place, game in enumerate(games):
        if place:
            echo("")
        echo(heading(game), is_bold=True)
        echo_lines(figure_lines(game))
        if errors := error_lines(game, error_count):
            echo("")
            echo_lines(errors)


def _skipped_report(skips: Sequence[SkippedGames]) -> Report:
    """Return the documented part about skipped games; those of several files name their file."""
    if len(skips) == 1:
        return skips[0].report()
    kept = [{"file": each.name, **game.report()} for each in skips for game in each.kept]
    return {"skipped": kept, "skipped_count": sum(each.count for each in skips)}
