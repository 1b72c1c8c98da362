"""The file of a match that is played: which formats it may have, by the ending of its name.

Knows endings; the formats themselves are master.games.backgammon.matches', the writing kept_files'.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from master.cli.playing.kept_files import OwnFile
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.mat import write_mat
from master.games.backgammon.matches.sgf import write_sgf
from master.games.backgammon.play.live_match import LiveMatch
from master.games.errors import RecordError

_WRITERS: dict[str, Callable[[AnalysedMatch], str]] = {
    ".sgf": write_sgf,
    ".mat": lambda analysed: write_mat(analysed.match),
}


class MatchFile:
    """The file of the match at the table: the one that it came from, or a new one."""

    def __init__(self) -> None:
        """Keep a new match; its file is made when it is saved for the first time."""
        self.begin()

    def load(self, path: Path) -> LiveMatch:
        """Read a match and keep it from now on; RecordError when that fails.

        It goes on in its own file, or, if that is of a format that we only read, in a new one.
        What in it cannot be, and how it was read all the same, is said.
        """
        analysed = read_match_file(path)
        live = LiveMatch(analysed)
        own = OwnFile(".sgf")
        if path.suffix.lower() in _WRITERS:
            own.adopt(path, _text_of(live.analysed, path))
        self._own = own
        for warning in analysed.warnings:
            click.echo(f"manyply: warning: {warning}", err=True)
        return live

    def begin(self) -> None:
        """Keep a new match from now on."""
        self._own = OwnFile(".sgf")

    def save(self, analysed: AnalysedMatch, elsewhere: Path | None = None) -> Path:
        """Write a match to its file, or to another; return which.

        Raises:
            RecordError: the ending is no format's, or the file cannot be written.
        """
        if elsewhere is not None:
            self._own.copy(_text_of(analysed, elsewhere), elsewhere)
            return elsewhere
        return self._own.keep(lambda path: _text_of(analysed, path))


def _text_of(analysed: AnalysedMatch, path: Path) -> str:
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise RecordError(f"{path.name}: expected a name that ends with .sgf or .mat")
    return write(analysed)
