"""The file of the current game, and the folder and the whole writing of such files.

The format follows from the ending of the name; a game supplies its formats. If another program
wrote the file meanwhile, or a second game uses it, the file is not overwritten.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from master.cli.output import echo
from master.config.paths import default_state_dir
from master.games.errors import RecordError
from master.games.text_decoding import UTF8_BYTES_MAX, is_utf16
from protocol.guards.bounded_file import read_bounded
from protocol.guards.file_errors import file_error_text
from protocol.guards.whole_file import write_whole_file

NAMESAKES_MAX = 1000
"""Games begun in the same second; people do not begin more."""

Version: TypeAlias = tuple[int, int, int]


def version_of(path: Path) -> Version | None:
    """Return a version that tells a file from a later one of its name; None: there is none."""
    try:
        known = path.stat()
    except OSError:
        return None
    return known.st_ino, known.st_mtime_ns, known.st_size


def default_path(now: datetime, suffix: str) -> Path:
    """Return the file of a new game: named by the time it began."""
    return default_state_dir() / "matches" / f"{now:%Y-%m-%d-%H%M%S}{suffix}"


def today() -> str:
    """Return the date here, ISO 8601."""
    return datetime.now(UTC).astimezone().date().isoformat()


def claim(path: Path) -> Path:
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
        raise RecordError(f"cannot write {path}: {file_error_text(error)}") from None
    raise RecordError(f"cannot write {path}: {NAMESAKES_MAX} files have that name")


def write_whole(text: str, path: Path) -> None:
    """Write a file, all of it or nothing; the old one stays until the new one is whole.

    Raises:
        RecordError: it cannot be written.
    """
    try:
        write_whole_file(path, text.encode())
    except OSError as error:
        raise RecordError(f"cannot write {path}: {file_error_text(error)}") from None


def read_text(path: Path, characters_max: int) -> str:
    """Return the text of a game's file, in UTF-8 or marked UTF-16; other bytes are replaced.

    Raises:
        RecordError: it cannot be read, or is too long for a game.
    """
    try:
        content, _ = read_bounded(path, UTF8_BYTES_MAX * characters_max)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror or error}") from None
    encoding = "utf-16" if is_utf16(content) else "utf-8-sig"
    text = io.TextIOWrapper(io.BytesIO(content), encoding=encoding, errors="replace").read()
    if len(text) > characters_max:
        raise RecordError(f"{path}: expected one game, {characters_max} characters at most")
    return text


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
    """The file of a session's game: the one that it came from, or a new one."""

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
