"""Real processes at a terminal of their own, which a test types to while it watches the screen."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.master.cli.terminals import DEADLINE_S, new_terminal, status

ECHOES = termios.ECHO | termios.ICANON

_TAKE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
"""So that the keys which send signals send them to the process."""


class Session:
    """A process and its terminal."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str], columns: int) -> None:
        self._screen_end, program_end = new_terminal(columns)
        self.sent = ""
        self._read = 0
        self.process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, *words], env=environ, stdin=program_end,
            stdout=program_end, stderr=program_end, start_new_session=True,
        )  # fmt: skip
        os.close(program_end)

    @property
    def shown(self) -> str:
        """What stands on the screen, and what has been scrolled away."""
        return status(self.sent)

    @property
    def is_as_usual(self) -> bool:
        """Whether the terminal shows what is typed and hands over lines."""
        return bool(termios.tcgetattr(self._screen_end)[3] & ECHOES == ECHOES)

    def resize(self, columns: int, lines: int) -> None:
        termios.tcsetwinsize(self._screen_end, (lines, columns))

    def press(self, keys: str) -> None:
        os.write(self._screen_end, keys.encode())

    def until(self, text: str) -> None:
        """Read the screen until it has been sent a text, since the last that was waited for."""
        begun = self._read
        while (found := self.sent.find(text, begun)) < 0:
            assert self._receive(), f"{text!r} never came: {self.sent[begun:]!r}"
        self._read = found + len(text)

    def ended(self) -> int:
        """Read to the end; return the exit status."""
        while self._receive():
            pass
        return self.process.wait(DEADLINE_S)

    def _receive(self) -> bool:
        assert select.select([self._screen_end], [], [], DEADLINE_S)[0], f"stuck: {self.sent!r}"
        try:
            data = os.read(self._screen_end, 65536)
        except OSError:  # the process has ended
            return False
        self.sent += data.decode()
        return bool(data)

    def hang_up(self) -> None:
        """Close the terminal, as whoever closes its window does."""
        os.close(self._screen_end)
        self._screen_end = -1

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if self._screen_end >= 0:
            os.close(self._screen_end)


@contextmanager
def session(
    *words: str, columns: int = 80, environ: Mapping[str, str] | None = None
) -> Iterator[Session]:
    """Run Python with some words; the process is dead afterwards.

    Args:
        environ: more of the environment.
    """
    usual = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    begun = Session(words, usual | {"TERM": "xterm"} | dict(environ or {}), columns)
    try:
        yield begun
    finally:
        begun.close()
