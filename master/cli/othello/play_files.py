"""The file of an Othello game that is played: which formats it may have, by its name's ending.

Knows files and endings; the formats themselves are master.games.othello.record's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine_ext.othello.ggf import GAME_CHARACTERS_MAX
from master.cli.playing.kept_files import OwnFile
from master.games.errors import RecordError
from master.games.othello.record import (
    Form,
    OthelloRecord,
    read_record,
    write_ggf,
    write_transcript,
)

_WRITERS: dict[str, tuple[Form, Callable[[OthelloRecord], str]]] = {
    ".ggf": (Form.GGF, write_ggf),
    ".txt": (Form.TRANSCRIPT, write_transcript),
}
_NEW = ".ggf"


class OthelloFile:
    """The file of the game at the table: the one that it came from, or a new one."""

    def __init__(self) -> None:
        """Keep a new game; its file is made when it is saved for the first time."""
        self._own = OwnFile(_NEW)

    def begin(self) -> None:
        """Keep another new game from now on, in a file of its own."""
        self._own = OwnFile(_NEW)

    def load(self, path: Path) -> OthelloRecord:
        """Read a game and keep it from now on; RecordError when that fails.

        It goes on in its own file, or, if that cannot hold all of it, in a new one.
        """
        record, form = read_game_file(path)
        own = OwnFile(_NEW)
        written, write = _WRITERS.get(path.suffix.lower(), (None, write_ggf))
        if form is written:
            own.adopt(path, write(record))
        self._own = own
        return record

    def save(self, record: OthelloRecord, elsewhere: Path | None = None) -> Path:
        """Write a game to its file, or to another; return which.

        Raises:
            RecordError: the ending is no format's, or the file cannot be written.
        """
        if elsewhere is None:
            return self._own.keep(lambda path: _text_of(record, path))
        self._own.copy(_text_of(record, elsewhere), elsewhere)
        return elsewhere


def read_game_file(path: Path) -> tuple[OthelloRecord, Form]:
    """Read the game that a file holds, known by its content.

    Raises:
        RecordError: it cannot be read, or holds none.
    """
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(GAME_CHARACTERS_MAX + 1)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror or error}") from None
    if len(text) > GAME_CHARACTERS_MAX:
        raise RecordError(f"{path}: expected one game, {GAME_CHARACTERS_MAX} characters at most")
    try:
        return read_record(text)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None


def _text_of(record: OthelloRecord, path: Path) -> str:
    _, write = _WRITERS.get(path.suffix.lower(), (None, None))
    if write is None:
        raise RecordError(f"{path.name}: expected a name that ends with .ggf or .txt")
    try:
        return write(record)
    except ValueError as error:
        raise RecordError(f"{path.name}: {error}") from None
