"""The file of the current game: its format follows from the ending of its name.

A game supplies its formats. If another program wrote the file meanwhile, or a second game uses it,
the file is not overwritten.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

from master.cli.output import echo
from master.cli.playing.kept_files import (
    Version,
    claim,
    default_path,
    version_of,
    write_whole,
)
from master.games.errors import RecordError

R = TypeVar("R")


@dataclass(frozen=True)
class Formats(Generic[R]):
    """The file formats of a game.

    Args:
        writers: functions that return a file's text, by the ending of its name (in small letters);
            new files have the first ending. ValueError for a record that such a file cannot hold.
        read: reads a file; returns the record, and the ending of names whose files hold all of it;
            empty if none do. RecordError for an unreadable file.
    """

    writers: Mapping[str, Callable[[R], str]]
    read: Callable[[Path], tuple[R, str]]
    played: Callable[[R], Hashable] | None = None

    def text(self, record: R, path: Path) -> str:
        """Return the text for a file of that name.

        Raises:
            RecordError: the ending is no format's, or that format cannot hold the record.
        """
        write = self.writers.get(path.suffix.lower())
        if write is None:
            endings = " or ".join(self.writers)
            raise RecordError(f"{path.name}: expected a name that ends with {endings}")
        try:
            return write(record)
        except ValueError as error:
            raise RecordError(f"{path.name}: {error}") from None


class GameFile(Generic[R]):
    """The file of the game at the table: the one that it came from, or a new one."""

    def __init__(self, formats: Formats[R]) -> None:
        """Keep a new game; its file is made when it is saved for the first time."""
        self._formats = formats
        self.begin()

    def begin(self) -> None:
        """Keep another new game from now on, in a file of its own."""
        self._began = datetime.now(UTC).astimezone()
        self._path: Path | None = None
        self._text = ""
        self._version: Version | None = None  # of the file, as we read or wrote it
        self._loaded: Hashable = None  # its actions, until it is written

    def _adopt(self, path: Path, text: str) -> None:
        self._path, self._text, self._version = path, text, version_of(path)
        self._loaded = None

    def load(self, path: Path) -> R:
        """Read a game and keep it from now on; RecordError when that fails.

        It goes on in its own file, or, if that cannot hold all of it, in a new one.
        """
        record, ending = self._formats.read(path)
        is_own = bool(ending) and ending == path.suffix.lower()
        text = self._formats.text(record, path) if is_own else ""
        self.begin()
        if is_own:
            self._adopt(path, text)
            self._loaded = self._played(record)
        return record

    def _played(self, record: R) -> Hashable:
        return None if self._formats.played is None else self._formats.played(record)

    def save(self, record: R, elsewhere: Path | None = None) -> Path:
        """Write a game to its file, or to another; return which.

        A file that already holds the same text is left as it is. So is a file after which nothing
        was played: it may have contents that only its own program understands. If another program
        has written to the file, the game goes on in a new one, and a line says so.

        Raises:
            RecordError: the ending is no format's, or the file cannot be written.
        """
        if elsewhere is not None:
            return self._copy(self._formats.text(record, elsewhere), elsewhere)
        if self._path is None:
            self._path = claim(default_path(self._began, next(iter(self._formats.writers))))
        if self._loaded is not None and self._played(record) == self._loaded:
            return self._path
        path, text = self._path, self._formats.text(record, self._path)
        if text == self._text:
            return path
        if self._version is not None and version_of(path) not in (None, self._version):
            self._path, self._text, self._version = None, "", None
            echo(f"Another program has changed {path}: from now on the game is kept elsewhere.")
            return self.save(record)
        write_whole(text, path)
        self._adopt(path, text)
        return path

    def _copy(self, text: str, path: Path) -> Path:
        """Write to a file that was named, be it the game's own."""
        write_whole(text, path)
        if self._path is not None and path.resolve() == self._path.resolve():
            self._adopt(self._path, text)
        return path
