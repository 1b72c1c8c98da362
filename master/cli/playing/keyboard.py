"""Keys that act at once on an empty line, such as arrows, on a terminal that echoes none.

Only the first key of a line is read here. Any other than those begins a line: it goes to the line
editor, which has the rest of the line. (Macros of readline could not do it: they cannot test
whether the line is empty, and libedit has others.)

Ctrl-C, Ctrl-Z and Ctrl-\\ work as ever. A stopped or killed process restores the terminal's modes
first; a process that goes on sets them again. After `kill -9` alone they stay, until the shell
restores them.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from types import FrameType
from typing import Any, Self

from master.cli.output import disturb, send
from master.cli.playing.play_terminal import Leave, ask
from master.cli.terminal import SHOW_CURSOR, can_redraw, is_terminal

try:
    import termios
except ImportError:  # pragma: no cover  # no such terminals on this system
    IS_KNOWN = False
else:
    IS_KNOWN = True

_LOCAL, _CHARACTERS = 3, 6
_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class QuietTerminal:
    """The terminal of standard input and output; a context manager, for the main thread.

    Attributes:
        is_open: it is one, and quiet now.
    """

    def __init__(self, on_return: Callable[[], None]) -> None:
        """Prepare.

        Args:
            on_return: called when the process goes on after it was stopped, as by a signal.
        """
        self._on_return = on_return
        self._handlers: dict[int, object] = {}
        self._found: list[Any] = []
        self.is_open = False

    def __enter__(self) -> Self:
        """Make it quiet; where it is no terminal, or is a dumb one, nothing happens."""
        if IS_KNOWN and is_terminal(sys.stdin) and can_redraw():
            self._found = termios.tcgetattr(sys.stdin)
            self.is_open = True
            self._listen()
            self._set_quiet()
        return self

    def __exit__(self, *ending: object) -> None:
        """Give it back."""
        if self.is_open:
            self._give_back()
            for number, handler in self._handlers.items():
                signal.signal(number, handler)  # type: ignore[arg-type]
            self.is_open = False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Restore the terminal's old modes for a while, for the line editor."""
        self._set(self._found)
        try:
            yield
        finally:
            self._set_quiet()

    def _set_quiet(self) -> None:
        modes = list(self._found)
        modes[_LOCAL] &= ~(termios.ICANON | termios.ECHO)
        # A terminal that flushes at Ctrl-C drops unfinished drawings as well.
        modes[_LOCAL] |= termios.NOFLSH
        characters = list(modes[_CHARACTERS])
        characters[termios.VMIN], characters[termios.VTIME] = 1, 0
        self._set([*modes[:_CHARACTERS], characters])

    def _set(self, modes: list[Any]) -> None:
        """Set modes, losing nothing that was typed; in the background the terminal is another's."""
        if _is_in_foreground():
            with suppress(termios.error):  # the terminal is gone, and its modes with it
                termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)

    def _give_back(self) -> None:
        # Not through sys.stdout: a signal may have come while that was written.
        with suppress(OSError):  # the terminal is gone
            os.write(sys.stdout.fileno(), SHOW_CURSOR.encode())
        self._set(self._found)

    def _listen(self) -> None:
        """Handle signals, except those that the parent process has ignored."""
        handlers = {
            signal.SIGCONT: self._go_on, signal.SIGTSTP: self._stop, signal.SIGINT: _interrupt
        }  # fmt: skip
        handlers |= dict.fromkeys(_ENDING, self._end)
        for number, handler in handlers.items():
            if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
                self._handlers[number] = signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._give_back()
        _die_of(number)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._give_back()
        _die_of(number)
        signal.signal(number, self._stop)
        self._go_on(number, frame)

    def _go_on(self, number: int, frame: FrameType | None) -> None:
        disturb()
        if _is_in_foreground():
            self._set_quiet()
            self._on_return()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Drop the text typed before Ctrl-C: it was meant for work that has been stopped now."""
    with suppress(termios.error):  # the terminal is gone
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    signal.default_int_handler(number, frame)


def _is_in_foreground() -> bool:
    """Whether the terminal is ours: no other job of the shell has it."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:  # not the terminal that jobs of this process are controlled by
        return True


def _die_of(number: int) -> None:
    """Take the default action of a signal; return if that was a stop."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


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
