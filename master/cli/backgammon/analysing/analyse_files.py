"""The match files that a command is given: files, and folders of them.

The format of a file follows from its content.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from master.cli.errors import CommandError

SUFFIXES = (".mat", ".sgf", ".xg", ".bgf", ".ogxm", ".gvab", ".gva")
"""Endings of the matches in a folder, also with `.gz` behind. A named file may have any name."""

FILES_MAX = 10_000
"""A professional's career; a folder with more is likely the wrong one."""


class BadFile(NamedTuple):
    """A file or folder, and its problem."""

    file: str
    why: str


def match_files(paths: Sequence[Path]) -> tuple[list[Path], list[BadFile]]:
    """Return the files, each once, folders with their own folders in order of names.

    Returns:
        The files, and the problems of folders.

    Raises:
        CommandError: there are too many.
    """
    files, bad = dict[Path, Path](), list[BadFile]()
    for path in paths:
        found = list(_within(path, bad)) if path.is_dir() else [path]
        if not found and not any(each.file == str(path) for each in bad):
            expected = ", ".join(SUFFIXES)
            bad.append(BadFile(str(path), f"no match in this folder: expected files {expected}"))
        for file in found:
            files.setdefault(file.resolve(), file)
        if len(files) > FILES_MAX:
            raise CommandError(f"{path}: more than {FILES_MAX:,} matches: name fewer at once")
    return list(files.values()), bad


def _within(folder: Path, bad: list[BadFile]) -> Iterator[Path]:
    def record(error: OSError) -> None:
        bad.append(BadFile(str(error.filename), error.strerror or str(error)))

    for place, folders, names in os.walk(folder, onerror=record):
        folders[:] = sorted(_shown(folders))
        for name in sorted(_shown(names)):
            if name.lower().removesuffix(".gz").endswith(SUFFIXES) and Path(place, name).is_file():
                yield Path(place, name)


def _shown(names: Iterable[str]) -> Iterator[str]:
    """Yield the names that are not hidden."""
    return (name for name in names if not name.startswith("."))
