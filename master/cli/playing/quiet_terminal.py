"""A terminal that reports each key at once and echoes none; its old modes are restored at the end.

Ctrl-C, Ctrl-Z and Ctrl-\\ work as ever. A stopped or killed process restores the modes first; a
process that goes on sets them again. After `kill -9` alone they stay, until the shell restores
them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Self

from master.cli.output import disturb
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
