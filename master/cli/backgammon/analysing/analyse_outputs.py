"""Outputs of `manyply analyse` besides standard output: SGF, CSV, a page, text."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo_exactly
from master.games.backgammon.analyse_report import csv_rows, figure_lines, game_lines
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import MatchFigures
from master.games.backgammon.matches.sgf import write_sgf
from protocol.guards.file_errors import file_error_text

if TYPE_CHECKING:
    from master.games.backgammon.review.turns import MatchReview

PRINTED = Path("-")
"""The name of standard output, for one of these."""

_PRINTABLE = ("html", "text")


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
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        paths = {name: path for name, path in given.items() if path is not None}
        for name, path in paths.items():
            if not (path == PRINTED and name in _PRINTABLE):
                _check(path, file)
        twice = [f"--{name}" for name, path in paths.items() if _is_again(path, paths.values())]
        if twice:
            raise CommandError(f"{' and '.join(twice)} name the same file: give each its own")

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


def _is_again(path: Path, paths: Iterable[Path]) -> bool:
    return [other.resolve() for other in paths].count(path.resolve()) > 1


def _check(path: Path, file: Path) -> None:
    if path.resolve() == file.resolve():
        raise CommandError(f"cannot write {path}: it is the file that is analysed")
    if not path.absolute().parent.is_dir():
        raise CommandError(f"cannot write {path}: there is no such directory")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CommandError(f"cannot write {path}: it may not be written", ExitCode.STORAGE)
    if path.is_dir():
        raise CommandError(f"cannot write {path}: it is a directory")


def _page(output: MatchOutput) -> str:
    # Pages take longer to load than the tables of a match: only a command that writes one waits.
    from master.games.backgammon.review.page import review_page  # noqa: PLC0415

    return review_page(_review(output))


def _text(output: MatchOutput) -> str:
    from master.games.backgammon.review.plain_text import review_text  # noqa: PLC0415

    figures = figure_lines(output.match, output.figures, output.settings, output.players)
    games = game_lines(output.match, output.figures, output.players)
    return review_text(_review(output), [*figures, "", *games])


def _review(output: MatchOutput) -> MatchReview:
    from master.games.backgammon.review.turns import MatchReview  # noqa: PLC0415

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
        text = f"cannot write {path}: {file_error_text(error)}"
        raise CommandError(text, ExitCode.STORAGE) from error
