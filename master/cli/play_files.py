"""Where a match that is played is kept, and how it gets there.

Knows paths and formats by their endings; the formats themselves are master.matches'.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from master.config.paths import default_state_dir
from master.matches.analysed import AnalysedMatch
from master.matches.files import read_match_file
from master.matches.mat import write_mat
from master.matches.record import RecordError
from master.matches.sgf import write_sgf
from master.play.live_match import LiveMatch

_WRITERS: dict[str, Callable[[AnalysedMatch], str]] = {
    ".sgf": write_sgf,
    ".mat": lambda analysed: write_mat(analysed.match),
}

NAMESAKES_MAX = 1000
"""Matches begun in the same second; more are no people's."""


class MatchFile:
    """The file of the match at the table: the one that it came from, or a new one."""

    def __init__(self) -> None:
        """Keep a new match; its file is made when it is saved for the first time."""
        self._began = datetime.now(UTC).astimezone()
        self._path: Path | None = None
        self._text = ""

    def load(self, path: Path) -> LiveMatch:
        """Read a match and keep it from now on; RecordError when that fails.

        It goes on in its own file, or, if that is of a format that we only read, in a new one.
        """
        live = LiveMatch(read_match_file(path))
        is_ours = path.suffix.lower() in _WRITERS
        self._text = _text_of(live.analysed, path) if is_ours else ""
        self._path = path if is_ours else None
        self._began = datetime.now(UTC).astimezone()
        return live

    def save(self, analysed: AnalysedMatch, elsewhere: Path | None = None) -> Path:
        """Write a match to its file, or to another; return which.

        A file that holds just that is left as it is: what only its own program understands stays.

        Raises:
            RecordError: the ending is no format's, or the file cannot be written.
        """
        if elsewhere is not None:
            save_match(analysed, elsewhere)
            return elsewhere
        if self._path is None:
            self._path = _claim(default_path(self._began))
        text = _text_of(analysed, self._path)
        if text != self._text:
            _write(text, self._path)
            self._text = text
        return self._path


def default_path(now: datetime) -> Path:
    """Return the file of a new match: named by the time it began."""
    return default_state_dir() / "matches" / f"{now:%Y-%m-%d-%H%M%S}.sgf"


def _claim(path: Path) -> Path:
    """Make an empty file of that name, or of one with a number behind it where there is one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for number in range(1, NAMESAKES_MAX):
            chosen = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
            try:
                chosen.open("x").close()
            except FileExistsError:
                continue
            return chosen
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror or error}") from None
    raise RecordError(f"cannot write {path}: {NAMESAKES_MAX} matches have that name")


def save_match(analysed: AnalysedMatch, path: Path) -> None:
    """Write a match, all of it or nothing; the old file stays until the new one is whole.

    Raises:
        RecordError: the ending is no format's, or the file cannot be written.
    """
    _write(_text_of(analysed, path), path)


def _text_of(analysed: AnalysedMatch, path: Path) -> str:
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise RecordError(f"{path.name}: expected a name that ends with .sgf or .mat")
    return write(analysed)


def _write(text: str, path: Path) -> None:
    try:
        _replace(path.resolve(), text)  # a link stays one
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror or error}") from None


def _replace(path: Path, text: str) -> None:
    """Put a new file in an old one's place, to be read by whoever might read that."""
    beside = path.parent / f".manyply-{secrets.token_hex(8)}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            if path.exists():
                os.fchmod(file.fileno(), path.stat().st_mode & 0o777)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
