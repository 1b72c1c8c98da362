"""Keys that act at once on an empty line, such as arrows.

Only the first key of a line is read here. Any other than those begins a line: it goes to the line
editor, which has the rest of the line. (Macros of readline could not do it: they cannot test
whether the line is empty, and libedit has others.)
"""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Self

from master.cli.output import send
from master.cli.playing.play_terminal import Leave, ask
from master.cli.playing.quiet_terminal import QuietTerminal

ESCAPE, END_OF_INPUT, PREVIOUS_LINE, BACKSPACES = "\x1b", "\x04", "\x10", "\b\x7f"

SEQUENCE_S = 0.1
"""A terminal sends the rest of a key's sequence at once; a pressed Escape has no rest."""

KEY_CHARACTERS_MAX = 16
"""The longest sequence that a key sends has fewer."""

_BEGUN = re.compile("\x1b(?:O|\\[[0-?]*[ -/]*)?")


class Keyboard:
    """The terminal's keys, a context manager; where it has none, lines are typed."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        """Prepare.

        Args:
            keys: the character or sequence of each key, and the line that it stands for.
        """
        self._keys = keys
        self._terminal = QuietTerminal(self._show_again)
        self._prompt = ""
        self._is_editing = False

    def __enter__(self) -> Self:
        """Take the terminal's keys; without a line editor it reads whole lines, as ever."""
        if find_spec("readline") is not None:
            self._terminal.__enter__()
        return self

    def __exit__(self, *ending: object) -> None:
        """Give the terminal back."""
        self._terminal.__exit__(*ending)

    @property
    def is_open(self) -> bool:
        """Whether keys act at once."""
        return self._terminal.is_open

    def ask(self, prompt: str) -> str:
        """Return the typed line, or the line that the pressed key stands for; Leave at the end."""
        if not self.is_open:
            return ask(prompt)
        self._prompt = prompt
        try:
            send(prompt)
            return self._line(prompt)
        finally:
            self._prompt = ""

    def _line(self, prompt: str) -> str:
        while True:
            key = read_key(sys.stdin.fileno())
            line = self._keys.get(key, "" if key in ("\r", "\n") else None)
            if line is not None:
                send(f"{line}\n")
                return line
            if key in ("", END_OF_INPUT):
                raise Leave
            if key[0] != ESCAPE and key not in BACKSPACES:
                return self._edited(prompt, key)

    def _edited(self, prompt: str, key: str) -> str:
        """Return a line that begins with a key, typed in the line editor."""
        with self._terminal.aside(), _beginning(_first_text(key)):
            self._is_editing = True
            try:
                send("\r")  # the line editor shows the prompt again
                return ask(prompt)
            finally:
                self._is_editing = False

    def _show_again(self) -> None:
        """Show the prompt and the typed text again after a shell; a signal calls it at any time."""
        typed = _typed_text() if self._is_editing else ""
        text = f"\r{self._prompt}{typed}" if self._prompt else ""
        os.write(sys.stdout.fileno(), text.encode(sys.stdout.encoding, "replace"))


def read_key(descriptor: int) -> str:
    """Return the character or sequence of one key; empty: there is no terminal any more.

    Args:
        descriptor: a terminal that hands keys over at once.
    """
    decoder = codecs.getincrementaldecoder(sys.stdin.encoding)("replace")
    key = ""
    while len(key) < KEY_CHARACTERS_MAX and (not key or _BEGUN.fullmatch(key)):
        if key and not select.select([descriptor], [], [], SEQUENCE_S)[0]:
            break
        try:
            byte = os.read(descriptor, 1)
        except OSError:
            return ""
        if not byte:
            return ""
        key += decoder.decode(byte)
    return key


def _typed_text() -> str:
    import readline  # noqa: PLC0415  # to import it begins to use it

    return readline.get_line_buffer()


def _first_text(key: str) -> str:
    """Return the text that a line begins with; a key for the line editor alone adds none."""
    import readline  # noqa: PLC0415

    if key == PREVIOUS_LINE and (count := readline.get_current_history_length()):
        return readline.get_history_item(count)
    return key if key.isprintable() else ""


@contextmanager
def _beginning(text: str) -> Iterator[None]:
    """Let the line editor's next line begin with a text."""
    import readline  # noqa: PLC0415

    readline.set_startup_hook(lambda: readline.insert_text(text))
    try:
        yield
    finally:
        readline.set_startup_hook(None)
