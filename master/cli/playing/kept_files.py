"""Files of games: their folder, reading and writing. A file is written whole or not at all."""

from __future__ import annotations

import io
import os
import secrets
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from master.config.paths import default_state_dir
from master.games.errors import RecordError
from master.games.text_decoding import UTF8_BYTES_MAX, is_utf16
from protocol.guards.bounded_file import read_bounded
from protocol.guards.file_errors import file_error_text

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
        # A link stays one.  Path.resolve() would raise a RuntimeError where links form a loop.
        _replace(Path(os.path.realpath(path)), text)
    except OSError as error:
        raise RecordError(f"cannot write {path}: {file_error_text(error)}") from None


def _replace(path: Path, text: str) -> None:
    """Replace a file by a new one; the same users may read it."""
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
