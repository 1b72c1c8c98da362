"""`manyply analyse othello`: every move of recorded games, by this machine or many."""

from __future__ import annotations

import time
from pathlib import Path

import click

from engine_ext.kept_digest import kept_engine_digest
from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, answer
from engine_ext.services import engine_digest
from master.cli.arguments import CountType, json_option, read_seconds, reads
from master.cli.drawings import drawing_option, write_drawing
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.cli.othello.play_advisor import OthelloAdvisor
from master.cli.othello.search_alone import status_line
from master.cli.output import echo, echo_json, echo_lines, end_skipped, say_skipped
from master.cli.place import Place, place_options
from master.games.errors import RecordError
from master.games.othello.analysis.judging import (
    AnalysedGame,
    JudgedMove,
    analysed,
    judged,
    questions,
)
from master.games.othello.analysis.records import read_record_file
from master.games.othello.analysis.report import error_lines, figure_lines, game_report, heading
from master.games.othello.level import (
    DEPTH_DEFAULT,
    DEPTH_MAX,
    EXACT_BEYOND,
    EXACT_DEFAULT,
    Level,
    exact_for,
)
from master.games.othello.record import OthelloRecord
from master.games.othello.review import GAMES_MAX, Reviewed, review_page
from master.games.skipped import GameNumbers, SkippedGames
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
    records: list[tuple[int, OthelloRecord]],
    level: Level,
    games: list[AnalysedGame],
    *,
    is_quiet: bool,
) -> bool:
    """Analyse games into a list; return whether Ctrl-C ended it, and print that."""
    with ProgressDisplay(is_quiet=is_quiet) as progress:
        watch = _Watch(progress)
        try:
            for place, (number, record) in enumerate(records, 1):
                title = f"game {place} of {len(records)}"
                games.append(AnalysedGame(number, record, _moves(record, level, watch, title)))
        except KeyboardInterrupt:
            progress.show_text(f"stopped; {len(games)} of {len(records)} games are analysed")
            return True
    return False


def _moves(
    record: OthelloRecord, level: Level, watch: _Watch, title: str
) -> tuple[JudgedMove, ...]:
    """Judge a game's moves, saying where it is."""
    advisor, moves = OthelloAdvisor(level, watch.search), list[JudgedMove]()
    count = len(record.game.turns)
    watch.place = f"{title}, move 1 of {count}"
    for move in judged(record, advisor.judge_in_time):
        moves.append(move)
        watch.place = f"{title}, move {move.number + 2} of {count}"
    return tuple(moves)


ERRORS_DEFAULT = 10
ERRORS_MAX = 60

EXACT_MAX = 60


@click.command("othello", short_help="Games in WTHOR's format, GGF or transcripts.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--games", "numbers", metavar="1,3,5-9", callback=reads(GameNumbers.from_text),
    help="Numbers of the games in FILE.  [default: all]",
)  # fmt: skip
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help=f"Moves to look ahead.  [default: {DEPTH_DEFAULT}]",
)  # fmt: skip
@click.option(
    "--exact", type=CountType(0, EXACT_MAX), metavar="N",
    help="From N empty squares on moves are judged by their exact scores.  "
    f"[default: {EXACT_BEYOND} more than --plies, {EXACT_DEFAULT} at most]",
)  # fmt: skip
@click.option(
    "--seconds", metavar="S", callback=reads(read_seconds),
    help="Time for one thread of this process to look for the best move, instead of --plies; exact "
    "scores take as long as it is.",
)  # fmt: skip
@click.option(
    "--errors", "error_count", type=CountType(0, ERRORS_MAX), default=ERRORS_DEFAULT,
    show_default=True, metavar="N", help="List the N worst moves of each game.",
)  # fmt: skip
@drawing_option(
    "--html", "Write a page too: every move with its board, curves, errors; it opens offline.",
)  # fmt: skip
@place_options
@json_option
def analyse_othello(
    file: Path, numbers: GameNumbers | None, depth: int | None, exact: int | None,
    seconds: float | None, error_count: int, html: Path | None, place: Place, is_json: bool,
) -> None:  # fmt: skip
    """Analyse games of Othello: the loss of every move, and better ones.

    FILE is a .wtb file of the French federation's database (names come from the only .jou and .trn
    files beside it), games in GGF, or transcripts such as f5d6c3, one a line.

    Accuracy is the share of moves that gave nothing away, where there was a choice. The same games
    get the same values on any machine, except with --seconds. Ctrl-C stops; finished analyses
    are kept, and the same command goes on.
    """
    if depth is not None and seconds is not None:
        raise click.UsageError("--plies and --seconds exclude each other")
    try:
        chosen = read_record_file(file).chosen(numbers)
    except RecordError as error:
        raise CommandError(str(error)) from error
    records, skipped = chosen.records, SkippedGames(file.name)
    for each in chosen.skipped:
        say_skipped(skipped, each)
    if html is not None and len(records) > GAMES_MAX:
        raise CommandError(
            f"{file.name}: {len(records)} games, and a page has at most {GAMES_MAX}: choose some "
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
        games = _analysed(records, level, place, is_quiet=is_json)
    else:
        is_stopped = analyse_alone(records, level, games, is_quiet=is_json)
    _show(games, level, error_count, skipped if is_json else None)
    if html is not None and games:
        write_drawing(html, review_page(Reviewed(tuple(games), level)))
    if is_stopped:
        raise SystemExit(ExitCode.INTERRUPTED)
    end_skipped(skipped, len(games))


def _analysed(
    records: list[tuple[int, OthelloRecord]], level: Level, place: Place, *, is_quiet: bool
) -> list[AnalysedGame]:
    # The master's modules take longer to load than a mistake takes to be named.
    from master.cli.jobs.answering import answer_by_fleet

    engine = kept_engine_digest("othello", engine_digest)
    asked = [questions(record, level, engine) for _, record in records]
    texts = [each.to_text() for game in asked for each in game]
    found = answer_by_fleet(place, texts, is_quiet=is_quiet) if texts else []
    return list(analysed(records, [len(game) for game in asked], found))


def _show(
    games: list[AnalysedGame], level: Level, error_count: int, reported: SkippedGames | None
) -> None:
    """Print the games, or report them together with those that were skipped."""
    if reported is not None:
        depth = level.depth if level.seconds is None else None
        echo_json({
            "depth": depth, "exact": level.exact_empties, "seconds": level.seconds,
            "games": [game_report(game) for game in games], **reported.report(),
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
