"""Standard input as lines, for commands that other programs talk to."""

from __future__ import annotations

import os
from collections.abc import Iterator

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
