"""Standard input: as lines, for commands that other programs talk to, and as a file."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from master.cli.arguments import STDIN_WORD, check_piped
from master.games.text_decoding import LineSplitter

READ_BYTES = 65_536
STDIN = 0


def input_lines(line_bytes_max: int) -> Iterator[str]:
    """Yield the lines until the end; the last one may lack its line feed.

    Not by sys.stdin, whose lock a thread that waits would hold when the interpreter ends.
    """
    splitter = LineSplitter(line_bytes_max)
    while chunk := _read():
        yield from splitter.feed(chunk)
    yield from filter(None, splitter.feed(b"\n"))


def _read() -> bytes:
    """Return the available bytes; none at the end or after an error."""
    try:
        return os.read(STDIN, READ_BYTES)
    except OSError:
        return b""


INPUT_NAME = "stdin"
"""The name of standard input in tables and errors."""

OUTPUT_OPTIONS = frozenset({"--html", "--text", "--pgn", "--svg", "--csv", "--sgf"})
"""Options of outputs: `-` after one of them is no standard input."""


def with_input(ctx: click.Context, words: Sequence[str]) -> list[str]:
    """Return the words with a file of standard input's content in the place of `-`.

    The file is removed when the context ends.
    """
    places = [
        place
        for place, word in enumerate(words)
        if word == STDIN_WORD and (not place or words[place - 1] not in OUTPUT_OPTIONS)
    ]
    if not places or ctx.resilient_parsing:
        return list(words)
    if len(places) > 1:
        raise click.UsageError("standard input, -, is one file: name it once", ctx=ctx)
    check_piped(ctx, "a pipe, or a file's name")
    folder = tempfile.mkdtemp(prefix="manyply-")
    ctx.call_on_close(lambda: shutil.rmtree(folder, ignore_errors=True))
    path = Path(folder, INPUT_NAME)
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return [str(path) if place in places else word for place, word in enumerate(words)]
