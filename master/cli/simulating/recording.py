"""A simulated search written down, for `manyply replay FILE --web`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from master.cli.drawings import refusal_of
from master.search.events import SearchCommand, SearchEvent
from master.timeline.reading import SearchLogHead, first_line, turn_line


class SearchRecording:
    """A file that is being written; used as a context manager."""

    def __init__(self, path: Path, head: SearchLogHead) -> None:
        """Begin the file anew; CommandError: it cannot be written."""
        self._path = path
        try:
            self._file = path.open("w", encoding="ascii")
            self._file.write(first_line(head) + "\n")
        except OSError as error:
            raise refusal_of(path, error) from error

    def turn(
        self, now: float, events: Sequence[SearchEvent], commands: Sequence[SearchCommand]
    ) -> None:
        """Add a turn of the scheduler; CommandError: the disk is full."""
        line = turn_line(now, events, commands)
        if line is None:
            return
        try:
            self._file.write(line + "\n")
        except OSError as error:
            raise refusal_of(self._path, error) from error

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        try:
            self._file.close()
        except OSError as failed:
            if error is None:
                raise refusal_of(self._path, failed) from failed
