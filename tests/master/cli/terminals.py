"""Terminals of any width: one for commands of this process, one for real processes."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from master.cli.app import manyply

LINES = 40
DEADLINE_S = 60.0
WIDTHS = (60, 80, 100, 140)

CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3|4|9|10)\d(?:;\d+)*m")


class Screen:
    """What a terminal was sent.

    Attributes:
        columns: of the terminal.
        text: everything, once the terminal is closed.
    """

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.text = ""

    @property
    def lines(self) -> list[str]:
        """The lines without what steers the terminal; what is drawn over them is another line."""
        return re.split(r"[\r\n]+", CONTROL.sub("", self.text))

    @property
    def shown(self) -> str:
        """What stands there in the end."""
        return status(self.text)

    @property
    def too_wide(self) -> list[str]:
        """The lines that the terminal breaks itself."""
        return [line for line in self.lines if len(line) > self.columns]


def status(sent: str) -> str:
    """Return what a terminal shows, with all that it has scrolled away, without looks.

    Knows what our drawings and the line editor send; lines are as long as they like.
    """
    rows, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r|\n|\x08|[^\x1b\r\n\x08]+", sent):
        count = int(found[1]) if (found := re.search(r"(\d+)[A-Za-z]$", piece)) else 1
        if piece == "\r":
            column = 0
        elif piece == "\n":
            row += 1
            rows += [""] * (row == len(rows))
        elif piece == "\x08":
            column -= 1
        elif piece.startswith("\x1b"):
            if piece.endswith("A"):
                assert count <= row, "the top is as far up as one goes"
                row -= count
            elif piece.endswith("C"):
                column += count
            elif piece.endswith(("K", "J")):
                rows[row] = rows[row][:column]
                rows = rows[: row + 1] if piece.endswith("J") else rows
        else:
            line = rows[row].ljust(column)
            rows[row] = line[:column] + piece + line[column + len(piece) :]
            column += len(piece)
    return "\n".join(line.rstrip() for line in rows)


def new_terminal(columns: int) -> tuple[int, int]:
    """Return a terminal's two ends: what the screen is sent, and what programs write to."""
    screen_end, program_end = pty.openpty()
    termios.tcsetwinsize(program_end, (LINES, columns))
    return screen_end, program_end


@contextmanager
def terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """Make standard output and error of this process a terminal."""
    screen, received = Screen(columns), list[bytes]()
    screen_end, program_end = new_terminal(columns)

    def receive() -> None:
        with suppress(OSError):  # the other end is closed
            while data := os.read(screen_end, 65536):
                received.append(data)

    reader = threading.Thread(target=receive)
    reader.start()
    with monkeypatch.context() as patched, open(program_end, "w", encoding="utf-8") as stream:
        patched.setattr(sys, "stdout", stream)
        patched.setattr(sys, "stderr", stream)
        patched.setenv("TERM", "xterm")
        # Rich asks the descriptors 0 to 2, which are the test runner's.
        patched.setenv("COLUMNS", str(columns))
        patched.setenv("LINES", str(LINES))
        try:
            yield screen
        finally:
            stream.flush()
    reader.join(DEADLINE_S)
    assert not reader.is_alive(), "a closed terminal has an end"
    os.close(screen_end)
    screen.text = b"".join(received).decode()


def shown(columns: int, monkeypatch: pytest.MonkeyPatch, *words: object) -> Screen:
    """Return what a command of this process shows on a terminal; it has to succeed."""
    with terminal(columns, monkeypatch) as screen:
        try:
            manyply.main([str(word) for word in words], "manyply", standalone_mode=False)
            code = 0
        except SystemExit as ending:
            code = int(ending.code or 0)
    assert code == 0, screen.text
    return screen


def process_shown(
    columns: int, words: tuple[str, ...], environ: Mapping[str, str], folder: Path, typed: str = ""
) -> Screen:
    """Return what a real process shows on a terminal; it has to succeed before a deadline."""
    screen, received = Screen(columns), b""
    screen_end, program_end = new_terminal(columns)
    process = subprocess.Popen(
        [sys.executable, "-m", "master.cli", *words], env=environ, cwd=folder, stdin=program_end,
        stdout=program_end, stderr=program_end,
    )  # fmt: skip
    os.close(program_end)
    os.write(screen_end, typed.encode())
    deadline = time.monotonic() + DEADLINE_S
    try:
        with suppress(OSError):  # the process has ended
            while select.select([screen_end], [], [], max(0.0, deadline - time.monotonic()))[0]:
                received += os.read(screen_end, 65536)
        code = process.wait(max(0.0, deadline - time.monotonic()))
    finally:
        process.kill()
        process.wait()
        os.close(screen_end)
    screen.text = received.decode()
    assert code == 0, screen.text
    return screen
