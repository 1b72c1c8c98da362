"""Which game the files of `manyply analyse` belong to, by their content, and standard input."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click

from master.cli.terminal import is_terminal
from master.games.table import fronts
from master.games.text_decoding import decode_text, is_utf16

HEAD_BYTES = 1 << 16
"""The part of a file that shows its kind; comments before the first game are far shorter."""

FOLDER_FILES_MAX = 100
"""Files of a folder that are looked at until one shows a game."""

STDIN = "-"

INPUT_NAME = "stdin"
"""The name of standard input in tables and errors."""

_PRINTABLE = ("--html", "--text", "--pgn", "--svg", "--csv", "--sgf")
"""Options after which `-` is standard output."""

_GZIP = b"\x1f\x8b"


def with_input(ctx: click.Context, words: Sequence[str]) -> list[str]:
    """Return the words with a file of standard input's content in the place of `-`.

    The file is removed when the context ends.
    """
    places = [
        place
        for place, word in enumerate(words)
        if word == STDIN and (not place or words[place - 1] not in _PRINTABLE)
    ]
    if not places or ctx.resilient_parsing:
        return list(words)
    if len(places) > 1:
        raise click.UsageError("standard input, -, is one file: name it once", ctx=ctx)
    if is_terminal(sys.stdin):
        raise click.UsageError(
            "- is standard input, and that is a terminal: expected a pipe, or a file's name",
            ctx=ctx,
        )
    folder = tempfile.mkdtemp(prefix="manyply-")
    ctx.call_on_close(lambda: shutil.rmtree(folder, ignore_errors=True))
    path = Path(folder, INPUT_NAME)
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return [str(path) if place in places else word for place, word in enumerate(words)]


def game_of_files(words: Sequence[str]) -> str | None:
    """Return the game of the files among the words of a command line; None: none shows one.

    A word behind an option may be that option's value, and counts only if no other word is a file.

    Raises:
        click.UsageError: the files are of several games.
    """
    named = [
        word
        for place, word in enumerate(words)
        if not word.startswith("-") and not (place and words[place - 1].startswith("-"))
    ]
    others = [word for word in words if not word.startswith("-") and word not in named]
    for candidates in (named, others):
        found = {game: word for word in reversed(candidates) if (game := game_of(Path(word)))}
        if len(found) > 1 and candidates is named:
            each = ", ".join(f"{word} is {game}" for game, word in found.items())
            raise click.UsageError(f"files of one game at a time: {each}")
        if found:
            return next(iter(found))
    return None


def game_of(path: Path) -> str | None:
    """Return the game of a record's file, or of a folder's first record; None: it shows none."""
    for file in islice(files_within(path), FOLDER_FILES_MAX):
        head = _head(file)
        for game, front in reversed(list(fronts())):  # the one meant without a name is the last
            if head and front.is_record is not None and front.is_record(head):
                return game
    return None


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
    if not path.is_file():
        return b""  # a pipe could be read only once
    try:
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return b""
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, HEAD_BYTES)
        except zlib.error:
            return b""
    return decode_text(head).encode() if is_utf16(head) else head.removeprefix(BOM_UTF8)
