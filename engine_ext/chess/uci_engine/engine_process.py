"""One program that speaks UCI, running: lines to it and from it, every wait with a deadline.

Knows processes and time.  Must not know positions, nor what the lines mean to a search.
"""

from __future__ import annotations

import os
import select
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from engine_ext.chess.uci_engine.engine_lines import EngineOption, EngineOptionError, read_option
from engine_ext.chess.uci_engine.engine_spec import EngineSpec

START_S = 20.0
"""A program greets within this time: it may have to read a large net from a slow disk."""

END_S = 2.0
"""It leaves within this time once it was told to."""

LINE_BYTES_MAX = 1 << 16
"""Of a line; the longest line of play has some thousands."""

READ_BYTES = 1 << 16
SHOWN_OPTIONS = 8


class EngineGoneError(Exception):
    """The program has ended, or is silent, or is none that speaks UCI; one line that says so."""


@dataclass(slots=True)
class Greeting:
    """What a program says of itself.

    Args:
        name: with its version.
        options: by their names in small letters.
    """

    name: str = ""
    options: dict[str, EngineOption] = field(default_factory=dict)

    def option(self, name: str) -> EngineOption:
        """Return an option by its name; EngineOptionError: it has none of that name."""
        found = self.options.get(name.lower())
        if found is None:
            known = [option.name for option in self.options.values()]
            more = ", ..." if len(known) > SHOWN_OPTIONS else ""
            has = f"it has {', '.join(known[:SHOWN_OPTIONS])}{more}" if known else "it has none"
            raise EngineOptionError(f"{self.name} has no option {name!r}: {has}")
        return found


class EngineProcess:
    """A program that was started, has greeted, and was told its options.

    Args:
        spec: which.

    Attributes:
        greeting: what it said of itself.

    Raises:
        EngineGoneError: it does not start, or is none that speaks UCI.
        EngineOptionError: it has not such an option.
    """

    def __init__(self, spec: EngineSpec) -> None:
        self._program = Path(spec.command[0]).name
        self._rest = b""
        try:
            # Ctrl-C is for whoever asks: the program ends with its standard input.
            self._child = subprocess.Popen(
                spec.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise EngineGoneError(f"cannot start {self._program}: {error.strerror}") from error
        try:
            self.greeting = self._greet()
            for name, value in spec.options:
                option = self.greeting.option(name)
                option.check(value)
                self.send(f"setoption name {option.name} value {value}")
            self.settle()
        except BaseException:
            self.kill()
            raise

    def _greet(self) -> Greeting:
        greeting = Greeting()
        try:
            self.send("uci")
            for line in self.lines(START_S):
                if line == "uciok":
                    break
                if line.startswith("id name "):
                    greeting.name = line.removeprefix("id name ").strip()
                option = read_option(line)
                if option is not None:
                    greeting.options[option.name.lower()] = option
        except EngineGoneError as error:
            raise EngineGoneError(
                f"{self._program} is no engine that speaks UCI: {error}"
            ) from None
        greeting.name = greeting.name or self._program
        return greeting

    def settle(self) -> None:
        """Wait until the program has done what it was told."""
        self.send("isready")
        for line in self.lines(START_S):
            if line == "readyok":
                return

    def send(self, line: str) -> None:
        """Say a line; EngineGoneError if nobody is there."""
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(line.encode() + b"\n")
            self._child.stdin.flush()
        except (OSError, ValueError):
            raise EngineGoneError(self._ended()) from None

    def lines(self, wait_s: float) -> Iterator[str]:
        """Yield lines as they come; EngineGoneError if more are wanted after so long."""
        deadline = time.monotonic() + wait_s
        while True:
            line = self.line(deadline - time.monotonic())
            if line is None:
                raise EngineGoneError(f"it has not said what it had to within {wait_s:g} s")
            yield line

    def line(self, wait_s: float) -> str | None:
        """Return the next line; None: none came in time.  EngineGoneError if the program ended."""
        assert self._child.stdout is not None
        deadline = time.monotonic() + wait_s
        if wait_s < 0:
            return None
        while b"\n" not in self._rest:
            left = deadline - time.monotonic()
            if not select.select([self._child.stdout], [], [], max(left, 0.0))[0]:
                return None
            read = os.read(self._child.stdout.fileno(), READ_BYTES)
            if not read:
                raise EngineGoneError(self._ended())
            self._rest += read
            if len(self._rest) > LINE_BYTES_MAX and b"\n" not in self._rest[:LINE_BYTES_MAX]:
                raise EngineGoneError(f"it said a line of over {LINE_BYTES_MAX} bytes")
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", errors="replace").strip()

    def _ended(self) -> str:
        try:
            code = self._child.wait(END_S)
        except subprocess.TimeoutExpired:
            return "it hears nothing any more"
        return f"it ended with exit code {code}" if code >= 0 else f"signal {-code} ended it"

    def kill(self) -> None:
        """End the program at once."""
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:  # what it was still to be told
                continue

    def close(self) -> None:
        """Tell the program to leave, and see to it."""
        try:
            self.send("quit")
            self._child.wait(END_S)
        except (EngineGoneError, subprocess.TimeoutExpired):
            pass  # it is killed
        self.kill()
