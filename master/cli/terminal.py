"""The terminal of the output: its size, and its characters. A pipe or a file has no width."""

from __future__ import annotations

import locale
import os
import sys
from io import TextIOWrapper
from typing import TextIO

WIDTH_DEFAULT = 80
"""Width of a terminal that does not report it."""

HEIGHT_DEFAULT = 24

HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"

WIDTH_MIN = 20
"""A narrower terminal is treated as one of this width: a word or a move has to fit."""

ENCODING_VARIABLES = {"PYTHONIOENCODING", "PYTHONUTF8"}
"""By these a user overrules the locale."""


def terminal_width(stream: TextIO | None = None) -> int | None:
    """Return the columns of the terminal that a stream is; None: it is none.

    COLUMNS overrules the terminal, as elsewhere.

    Args:
        stream: None: standard output.
    """
    stream = sys.stdout if stream is None else stream
    if not is_terminal(stream):
        return None
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return max(WIDTH_MIN, int(given))
    try:
        reported = os.get_terminal_size(stream.fileno()).columns
    except OSError:
        reported = 0
    return max(WIDTH_MIN, reported or WIDTH_DEFAULT)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream, which the caller may have closed, is a terminal."""
    return stream is not None and stream.isatty()


def can_redraw() -> bool:
    """Return whether standard output is a terminal that can be drawn over."""
    return is_terminal(sys.stdout) and os.environ.get("TERM", "dumb") not in ("", "dumb")


def terminal_height() -> int:
    """Return the lines of the terminal that standard output is; LINES overrules it."""
    given = os.environ.get("LINES", "")
    if given.isascii() and given.isdigit() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).lines or HEIGHT_DEFAULT
    except OSError:
        return HEIGHT_DEFAULT


def can_say(text: str) -> bool:
    """Return whether standard output has all characters of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def adopt_locale() -> None:
    """Make standard output and error use the locale's encoding, with `?` for other characters.

    Python writes UTF-8 where LC_ALL is C, also to a terminal that only supports ASCII.
    """
    encoding = locale.getencoding()
    is_narrow = not encoding.lower().startswith("utf") and not ENCODING_VARIABLES & set(os.environ)
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, TextIOWrapper):
            continue
        if is_narrow and is_terminal(stream):
            stream.reconfigure(encoding=encoding, errors="replace")
        elif stream.errors == "strict":
            stream.reconfigure(errors="replace")
