"""Where a match that is played is kept, and how it gets there.

Knows paths and formats by their endings; the formats themselves are master.matches'.
"""

from __future__ import annotations

import os
import tempfile
from datetime import datetime
from pathlib import Path

from master.config.paths import default_state_dir
from master.matches.analysed import AnalysedMatch
from master.matches.files import read_match_file
from master.matches.mat import write_mat
from master.matches.record import RecordError
from master.matches.sgf import write_sgf


def default_path(now: datetime) -> Path:
    """Return the file of a new match: named by the time it began."""
    return _own_directory() / f"{now:%Y-%m-%d-%H%M%S}.sgf"


def _own_directory() -> Path:
    return default_state_dir() / "matches"


def load_match(path: Path) -> AnalysedMatch:
    """Read a match; RecordError when that fails."""
    return read_match_file(path)


def save_match(analysed: AnalysedMatch, path: Path) -> None:
    """Write a match, all of it or nothing; the old file stays until the new one is whole.

    Only the directory of matches without a name of their own is made; another is the user's.

    Raises:
        RecordError: the ending is no format's, or the file cannot be written.
    """
    if path.suffix.lower() not in (".sgf", ".mat"):
        raise RecordError(f"{path.name}: expected a name that ends with .sgf or .mat")
    is_sgf = path.suffix.lower() == ".sgf"
    text = write_sgf(analysed) if is_sgf else write_mat(analysed.match)
    try:
        if path.parent == _own_directory():
            path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, text)
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror or error}") from None


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
