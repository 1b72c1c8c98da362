"""The scheduler's log as a file of bounded size."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from master.contract.commands import Command
from master.contract.errors import MasterError
from master.contract.events import Event
from master.scheduler.event_log import CUT, first_line, turn_line
from master.scheduler.limits import SchedulerOptions
from protocol.guards.file_errors import file_error_text

LOG_BYTES_MAX = 1 << 30
"""A gigabyte: some two million parts. A fault that is looked for comes sooner, and a log that was
forgotten fills no disk."""


class Recording:
    """A log that is being written; used as a context manager.  A disk that is full ends it."""

    def __init__(
        self, path: Path, warn: Callable[[str], None], bytes_max: int = LOG_BYTES_MAX
    ) -> None:
        """Begin a new file; a log holds questions and answers, so only its owner can read it.

        Raises:
            MasterError: it cannot be made, or is there already.
        """
        self._path, self._warn, self._left = path, warn, bytes_max
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise MasterError(f"cannot record to {path}: {file_error_text(error)}") from None
        self._file = os.fdopen(descriptor, "w", encoding="ascii")
        self._is_open = True
        self.write(first_line(SchedulerOptions()))

    def turn(self, now: float, events: Sequence[Event], commands: Sequence[Command]) -> None:
        """Add a turn of the scheduler."""
        if self._is_open:
            self.write(turn_line(now, events, commands))

    def write(self, line: str) -> None:
        """Add a line, unless the log has ended."""
        if not self._is_open:
            return
        self._left -= len(line) + 1
        is_cut = self._left < 0
        try:
            self._file.write((json.dumps(CUT) if is_cut else line) + "\n")
            if is_cut:
                self._file.flush()
        except OSError as error:
            self._end(f"{self._path}: {file_error_text(error)}: nothing more is recorded")
        else:
            if is_cut:
                self._end(f"{self._path} is full: nothing more is recorded")

    def _end(self, text: str) -> None:
        self._is_open = False
        self._warn(text)

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file; warn of lines that could not be written, and hide no other error."""
        try:
            self._file.close()
        except OSError as failed:
            if self._is_open:
                self._end(f"{self._path}: {file_error_text(failed)}: the record is not whole")
