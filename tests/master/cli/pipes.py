"""A program that is talked to by lines, as boards talk to engines."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

END_S_MAX = 20


class Pipes:
    """The board's end of the pipes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, start: str) -> list[str]:
        """Return the lines up to the first that begins so."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return lines
        raise AssertionError(f"ended without {start!r}: {lines}")

    def rest(self) -> tuple[str, str, int]:
        """Close the input; return what is still said, what is complained of, the exit code.

        What was said before may be lost: it waits in the buffer that `hear` reads from.
        """
        out, err = self.process.communicate(timeout=END_S_MAX)
        return out, err, self.process.returncode


@contextmanager
def talked_to(command: Sequence[str]) -> Iterator[Pipes]:
    """Run a command in the root of the project; it is killed at the end."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT
    ) as started:
        try:
            yield Pipes(started)
        finally:
            started.kill()
