"""Which game a file's record belongs to, by its content."""

from __future__ import annotations

import os
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from master.games.front import Front
from master.games.text_decoding import decode_text, is_utf16, kind_words

HEAD_BYTES = 1 << 16
"""The part of a file that shows its kind; comments before the first game are far shorter."""

WHOLE_BYTES_MAX = 1 << 23
"""Of a file that no game recognises, to be sure of it: larger ones are left to a game's reader."""

FOLDER_FILES_MAX = 100
"""Files of a folder that are read until one shows a game."""

_GZIP = b"\x1f\x8b"


def game_of(path: Path, games: Iterable[tuple[str, Front]]) -> str | None:
    """Return the game of a record's file, or of a folder's first record; None: it shows none.

    Args:
        path: of the file or folder.
        games: names and fronts, the one meant without a name first: it is asked last.
    """
    asked = list(games)[::-1]
    for file in islice(files_within(path), FOLDER_FILES_MAX):
        head = _head(file)
        for game, front in asked:
            if head and front.is_record is not None and front.is_record(head):
                return game
    return None


def no_record_error(path: Path, games: Iterable[tuple[str, Front]]) -> str | None:
    """Return the error of a file that is no record of any game, with the forms of all of them.

    None: it may be one, or another reader says what is wrong: it is a folder, or cannot be read.

    Args:
        path: of the file.
        games: names and fronts.
    """
    fronts, content = [front for _, front in games], _start(path, WHOLE_BYTES_MAX)
    if content is None or len(content) == WHOLE_BYTES_MAX or content.startswith(_GZIP):
        return None
    text = _plain(content)
    if any(front.is_record is not None and front.is_record(text) for front in fronts):
        return None
    forms = [front.record_form() for front in fronts if front.record_form is not None]
    expected = " or ".join(filter(None, [", ".join(forms[:-1]), *forms[-1:]]))
    return f"{path.name}: expected {expected}, found {kind_words(content)}"


def files_within(path: Path) -> Iterator[Path]:
    """Yield a file, or the files of a folder and its folders in order; none that is hidden."""
    if not path.is_dir():
        yield path
        return
    for place, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def _head(path: Path) -> bytes:
    """Return the beginning of a plain file, decompressed; nothing if it cannot be read."""
    head = _start(path, HEAD_BYTES) or b""
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, HEAD_BYTES)
        except zlib.error:
            return b""
    return _plain(head)


def _plain(content: bytes) -> bytes:
    """Return a content as the games recognise it: without a byte order mark, and not UTF-16."""
    return decode_text(content).encode() if is_utf16(content) else content.removeprefix(BOM_UTF8)


def _start(path: Path, most: int) -> bytes | None:
    """Return so many bytes of a plain file; None if it cannot be read."""
    if not path.is_file():
        return None  # a pipe could be read only once
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError:
        return None
