"""`manyply analyse`: every decision of a recorded match, and outputs as SGF, CSV, page and text."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.arguments import (
    CountType,
    board_option_of,
    is_board_shown,
    json_option,
    reads,
    together,
)
from master.cli.backgammon.analysing.analyse_asking import (
    AnswerOptions,
    MatchTask,
    analyse_together,
    ruled_match,
)
from master.cli.backgammon.analysing.analyse_boards import show_errors
from master.cli.backgammon.analysing.analyse_depth import Depth, depth_options
from master.cli.backgammon.analysing.analyse_many import (
    ManyOptions,
    analyse_many,
    json_report,
    refuse_many,
)
from master.cli.backgammon.rule_options import given_rules, ruled, rules_options
from master.cli.drawings import PRINTED, check_outputs, check_place, refusal_of
from master.cli.errors import CommandError
from master.cli.output import (
    echo,
    echo_exactly,
    echo_json,
    echo_lines,
    echo_notice,
    echo_written,
    end_skipped,
    say_skipped,
)
from master.cli.place import Place, place_options
from master.cli.terminal import terminal_width
from master.games.backgammon.analyse_report import (
    csv_rows,
    error_lines,
    figure_lines,
    game_lines,
    list_lines,
    list_report,
)
from master.games.backgammon.matches.figures import MatchFigures, match_figures
from master.games.backgammon.matches.files import parts_of, read_decisions, read_match_file
from master.games.backgammon.matches.id_list import ListedDecision, answered_list, ask_about_list
from master.games.backgammon.matches.record import AnalysedMatch, Match
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError
from master.games.skipped import SkippedGames
from master.reports.texts import counted, printable

if TYPE_CHECKING:
    from master.games.backgammon.review.turns import MatchReview

_PRINTABLE = ("html", "text")
"""Outputs that can go to standard output."""


@dataclass(frozen=True)
class MatchOutput:
    """A match with its figures, and the settings of its analysis; see MatchReview."""

    match: AnalysedMatch
    figures: MatchFigures
    settings: AnalysisSettings | None
    engine: str | None
    table: MatchTable | None
    players: tuple[int, ...]


@dataclass(frozen=True)
class Outputs:
    """Where an analysis goes besides the tables on standard output."""

    sgf: Path | None = None
    csv: Path | None = None
    html: Path | None = None
    text: Path | None = None

    @property
    def is_printed(self) -> bool:
        """The page or the text goes to standard output, and is all that does."""
        return PRINTED in (self.html, self.text)

    def check(self, file: Path) -> None:
        """Refuse a file that could not or should not be written, before anything is computed."""
        given: dict[str, Path | None] = {
            field.name: getattr(self, field.name) for field in fields(self)
        }
        check_outputs([file], {f"--{name}": path for name, path in given.items()})
        for name, path in given.items():
            if path is not None and not (path == PRINTED and name in _PRINTABLE):
                check_place(path)

    def say_written(self) -> None:
        """Name the written files to a user."""
        for path in (self.sgf, self.csv, self.html, self.text):
            if path is not None and path != PRINTED:
                echo_written(path)

    def write(self, output: MatchOutput) -> None:
        """Write the requested files; CommandError if that fails."""
        if self.sgf is not None:
            _write(self.sgf, write_sgf(output.match))
        if self.csv is not None:
            rows = StringIO(newline="")
            csv.writer(rows, lineterminator="\n").writerows(csv_rows(output.match, output.figures))
            _write(self.csv, rows.getvalue())
        if self.html is not None:
            _print_or_write(self.html, _page(output))
        if self.text is not None:
            _print_or_write(self.text, _text(output))


def _page(output: MatchOutput) -> str:
    # Pages take longer to load than the tables of a match: only a command that writes one waits.
    from master.games.backgammon.review.page import review_page

    return review_page(_review(output))


def _text(output: MatchOutput) -> str:
    from master.games.backgammon.review.plain_text import review_text

    figures = figure_lines(output.match, output.figures, output.settings, output.players)
    games = game_lines(output.match, output.figures, output.players)
    return review_text(_review(output), [*figures, "", *games])


def _review(output: MatchOutput) -> MatchReview:
    from master.games.backgammon.review.turns import MatchReview

    return MatchReview(
        output.match, output.figures, output.settings, output.engine, output.table, output.players
    )


def _print_or_write(path: Path, text: str) -> None:
    if path == PRINTED:
        echo_exactly(text.removesuffix("\n"))
    else:
        _write(path, text)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise refusal_of(path, error) from error


ERRORS_DEFAULT = 20
"""Errors listed, a line each."""

BOARDS_DEFAULT = 5
"""Errors shown with boards: three screens."""

ERRORS_MAX = 1_000_000
"""More than a match has decisions."""


def _read_games(text: str) -> tuple[int, ...]:
    """Return indices of games written 1,3 or 2-4; ValueError otherwise."""
    indices: set[int] = set()
    for part in text.split(","):
        first, dash, last = (word.strip() for word in part.partition("-"))
        numbers = [first, last] if dash else [first]
        if not all(word.isascii() and word.isdigit() and len(word) <= 4 for word in numbers):
            raise ValueError(f"{text!r} does not name games: expected numbers such as 1,3 or 2-4")
        if int(first) > int(numbers[-1]):
            raise ValueError(f"{text!r} does not name games: {part.strip()} runs backwards")
        indices.update(range(int(first) - 1, int(numbers[-1])))
    if min(indices) < 0:
        raise ValueError(f"{text!r} does not name games: they are counted from 1")
    return tuple(sorted(indices))


_analyse_options = together(
    click.argument("files", metavar="FILE...", nargs=-1, required=True,
                   type=click.Path(path_type=Path)),
    depth_options,
    click.option("--stored", "is_stored", is_flag=True,
                 help="Compute nothing: show the analysis in the file."),
    click.option("--player", metavar="NAME", help="Analyse only this player's decisions."),
    click.option("--games", callback=reads(_read_games), metavar="LIST",
                 help="Analyse only these games, e.g. 1,3 or 2-4."),
    click.option("--errors", "error_count", type=CountType(0, ERRORS_MAX), metavar="N",
                 help="List the N largest errors.  "
                      f"[default: {ERRORS_DEFAULT}; {BOARDS_DEFAULT} with boards]"),
    board_option_of("the positions of these errors"),
    click.option("--sgf", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write match and analysis to a file that gnubg opens."),
    click.option("--csv", "csv_path", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write a row for each decision."),
    click.option("--html", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write a page of all moves, boards and curves: one file for any browser; "
                      "- is standard output."),
    click.option("--text", type=click.Path(path_type=Path), metavar="OUT",
                 help="Write all moves with boards as plain text; - is standard output."),
)  # fmt: skip


@click.command("backgammon", short_help="A match, or a list of decisions.")
@_analyse_options
@rules_options
@place_options
@json_option
def analyse_backgammon(
    files: tuple[Path, ...],
    depth: Depth,
    is_stored: bool,
    player: str | None,
    games: tuple[int, ...] | None,
    error_count: int | None,
    board: bool | None,
    sgf: Path | None,
    csv_path: Path | None,
    html: Path | None,
    text: Path | None,
    place: Place,
    is_json: bool,
    **rules: Any,
) -> None:
    """Analyse a recorded match: every move, cube action and roll.

    FILE is a match (.mat, .sgf, .xg, ...) or a list: one ID a line, after it the roll and what was
    done, where known, e.g. `4HPwATDgc/ABMA 31 8/5 6/5`.  Of several matches, or of a folder of
    them, a line each is printed.  Ctrl-C stops; what is analysed is kept, and the same command
    goes on.
    """
    ruling = given_rules(rules)
    answering = AnswerOptions(depth, place, is_json, ruling.table)
    if len(files) > 1 or files[0].is_dir() or _has_several(files[0]):
        of_one = {"--sgf": sgf is not None, "--csv": csv_path is not None, "--board": bool(board),
                  "--games": games is not None, "--html": html is not None,
                  "--text": text is not None}  # fmt: skip
        refuse_many([option for option, is_given in of_one.items() if is_given])
        analyse_many(files, ManyOptions(answering, ruling, player, is_stored))
        return
    (file,) = files
    outputs = Outputs(sgf, csv_path, html, text)
    outputs.check(file)
    if outputs.is_printed and is_json:
        raise click.UsageError("--json prints, and so does the name -: give it a file")
    of_matches = {"--stored": is_stored, "--player": player is not None, "--sgf": sgf is not None,
                  "--games": games is not None, "--csv": csv_path is not None,
                  "--html": html is not None, "--text": text is not None,
                  "--board": bool(board), "--rollout-errors": depth.bounds is not None}  # fmt: skip
    try:
        faults = list[str]()
        listed = read_decisions(file, faults)
        if listed is not None:
            _refuse(file, [option for option, is_given in of_matches.items() if is_given])
            listed = [replace(one, state=ruled(one.state, ruling)) for one in listed]
            _analyse_list(file, listed, faults, answering, is_json=is_json)
            return
        stored = ruled_match(read_match_file(file), ruling)
        for warning in stored.warnings:
            echo_notice(f"warning: {warning}")
        players = _players(stored.match, player)
        _check_games(stored.match, games)
        skipped = _say_skipped(file.name, stored, games)
        task = MatchTask(stored, players, games)
        match = stored if is_stored else analyse_together([task], answering)[0]
        figures = match_figures(match, games, ruling.table)
    except RecordError as error:
        raise CommandError(str(error)) from error
    if is_stored and not figures.decisions:
        raise CommandError(f"{file.name} holds no analysis: leave out --stored")
    settings, engine = (None, None) if is_stored else (depth.examined, answering.engine)
    outputs.write(MatchOutput(match, figures, settings, engine, answering.table, players))
    if is_json:
        echo_json(json_report(match, figures, None if is_stored else answering))
    elif not outputs.is_printed:
        _show(match, figures, None if is_stored else depth, players, Listed(error_count, board))
    outputs.say_written()
    end_skipped(skipped, len(match.match.games if games is None else games) - skipped.count)


def _has_several(file: Path) -> bool:
    """Tell whether a file has several matches; one that cannot be read is refused later."""
    try:
        return len(parts_of(file)) > 1
    except RecordError:
        return False


@dataclass(frozen=True)
class Listed:
    """Which errors are listed: how many, and whether with boards; None: as it is usual."""

    count: int | None
    board: bool | None


def _refuse(file: Path, options: Sequence[str]) -> None:
    if options:
        raise CommandError(f"{options[0]} is for matches, and {file.name} is a list of IDs")


def _analyse_list(
    file: Path,
    listed: Sequence[ListedDecision],
    faults: list[str],
    answering: AnswerOptions,
    *,
    is_json: bool,
) -> None:
    """Analyse the lines that can be read, and name the others."""
    asked = ask_about_list(
        listed, answering.settings, answering.engine, file.name, answering.table, faults=faults
    )
    if not asked:
        raise CommandError(faults[0])
    for fault in faults:
        echo_notice(printable(f"{fault}; skipped"))
    answers = answering.answers([question.to_text() for _, question in asked])
    known = answered_list([line for line, _ in asked], answers, answering.table)
    if is_json:
        echo_json(list_report(known, answering.settings, answering.engine, answering.table))
    else:
        echo_lines(list_lines(known, terminal_width()))
    if faults:
        skipped = counted(len(faults), "line")
        raise CommandError(printable(f"{file.name}: {skipped} skipped; {len(known):,} read"))


def _players(match: Match, name: str | None) -> tuple[int, ...]:
    """Return the players whose decisions are analysed."""
    if name is None:
        return (0, 1)
    found = match.called(name)
    if len(found) != 1:
        names = " and ".join(repr(each) for each in match.players)
        raise CommandError(f"no single player is called {name!r}: the match is between {names}")
    return found


def _say_skipped(
    name: str, stored: AnalysedMatch, games: tuple[int, ...] | None = None
) -> SkippedGames:
    """Name the games that could not be read, of those that are looked at."""
    skipped = SkippedGames(name)
    for each in stored.skipped:
        if games is None or each.number - 1 in games:
            say_skipped(skipped, each)
    return skipped


def _check_games(match: Match, games: tuple[int, ...] | None) -> None:
    count = len(match.games)
    if games is not None and games[-1] >= count:
        raise CommandError(f"there is no game {games[-1] + 1}: the match has {count}")


def _show(
    match: AnalysedMatch,
    figures: MatchFigures,
    depth: Depth | None,
    players: tuple[int, ...],
    errors: Listed,
) -> None:
    width, settings = terminal_width(), None if depth is None else depth.examined
    figured = figure_lines(match, figures, settings, players, width=width)
    if depth is not None and depth.bounds_words:
        figured.insert(1, depth.bounds_words)
    has_boards = is_board_shown(errors.board, is_terminal=width is not None)
    count = errors.count
    if count is None:
        count = BOARDS_DEFAULT if has_boards else ERRORS_DEFAULT
    tables = [figured, game_lines(match, figures, players, width)]
    parts: list[Callable[[], None]] = [partial(echo_lines, each) for each in tables if each]
    if count and figures.errors():
        if has_boards:
            parts.append(partial(show_errors, match, figures, count))
        else:
            parts.append(partial(echo_lines, error_lines(match, figures, count, width)))
    # On a terminal the summary comes last: there it is still seen when all is printed.
    for place, show in enumerate(parts if width is None else reversed(parts)):
        if place:
            echo("")
        show()
