"""Files in which what is played is kept: where they lie, and how they are written.

Knows paths and texts, no game.  A file is written whole or not at all, and what another program
wrote there meanwhile, a second game on the same file as well, is never written over.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from master.cli.output import echo
from master.config.paths import default_state_dir
from master.games.errors import RecordError

NAMESAKES_MAX = 1000
"""Games begun in the same second; more are no people's."""


class OwnFile:
    """The file of what is at the table: the one that it came from, or a new one."""

    def __init__(self, suffix: str) -> None:
        """Keep a new game; its file is made when it is written for the first time.

        Args:
            suffix: the ending of its name.
        """
        self._suffix = suffix
        self._began = datetime.now(UTC).astimezone()
        self._path: Path | None = None
        self._text = ""
        self._version: _Version | None = None  # of the file, as we read or wrote it

    def adopt(self, path: Path, text: str) -> None:
        """Keep in a file from now on what was read from it.

        Args:
            path: the file.
            text: what would be written if nothing changed.
        """
        self._path, self._text, self._version = path, text, _version_of(path)

    def keep(self, text_of: Callable[[Path], str]) -> Path:
        """Write what is played now; return the file.

        A file that holds just that is left as it is: what only its own program understands stays.
        Where another program has written to it, the game goes on in a new one, which is said.

        Args:
            text_of: what a file of that name is to hold.

        Raises:
            RecordError: the file cannot be written.
        """
        if self._path is None:
            self._path = _claim(default_path(self._began, self._suffix))
        path, text = self._path, text_of(self._path)
        if text == self._text:
            return path
        if self._version is not None and _version_of(path) not in (None, self._version):
            self._path, self._text, self._version = None, "", None
            echo(f"Another program has changed {path}: from now on the game is kept elsewhere.")
            return self.keep(text_of)
        write_whole(text, path)
        self.adopt(path, text)
        return path

    def copy(self, text: str, path: Path) -> None:
        """Write what is played now to another file, or over what is in this one.

        Raises:
            RecordError: the file cannot be written.
        """
        write_whole(text, path)
        if self._path is not None and path.resolve() == self._path.resolve():
            self.adopt(self._path, text)


_Version: TypeAlias = tuple[int, int, int]


def _version_of(path: Path) -> _Version | None:
    """Return what tells a file from a later one of its name; None: there is none."""
    try:
        known = path.stat()
    except OSError:
        return None
    return known.st_ino, known.st_mtime_ns, known.st_size


def default_path(now: datetime, suffix: str) -> Path:
    """Return the file of a new game: named by the time it began."""
    return default_state_dir() / "matches" / f"{now:%Y-%m-%d-%H%M%S}{suffix}"


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
    raise RecordError(f"cannot write {path}: {NAMESAKES_MAX} files have that name")


def write_whole(text: str, path: Path) -> None:
    """Write a file, all of it or nothing; the old one stays until the new one is whole.

    Raises:
        RecordError: it cannot be written.
    """
    try:
        # A link stays one.  Path.resolve() would raise a RuntimeError where links form a loop.
        _replace(Path(os.path.realpath(path)), text)
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
