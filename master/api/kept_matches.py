"""Analysed matches in files, so that their reports outlive the master.

Each match has two files, named by its number: a small one that describes it, and a packed one with
its report, its own file and the answers. The small one is written last: with it the match is there.
"""

from __future__ import annotations

import gzip
import logging
import zlib
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from master.contract.shapes import Count, Shown
from master.games.handlers import StudiedFile
from protocol.guards.file_errors import file_error_text
from protocol.guards.whole_file import write_whole_file

FOLDER = "analysed-matches"
"""In the state directory."""

_DESCRIPTION, _CONTENT = ".json", ".gz"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptMatch(Shown):
    """A kept match.

    Args:
        match: its number.
        game: the game's name.
        name: of its file.
        title: the players and the length, for people.
        players: their names, if the game studies players.
        level: depth of the analysis.
        warnings: about errors in its file.
        questions: how many were answered.
        summary: of the report, in a line.
        analysed: UTC, ISO 8601.
        script: the one script of its report.
        engine: the name of another engine that analysed; empty: the game's own did.
    """

    match: Count
    game: str
    name: str
    title: str
    players: tuple[str, ...]
    level: str
    warnings: tuple[str, ...]
    questions: Count
    summary: str
    analysed: str
    script: str
    engine: str = ""


@dataclass(frozen=True, slots=True)
class KeptContent(Shown):
    """A match's report, its file in base64, and the answers to its questions."""

    page: str
    file: str
    answers: tuple[str, ...]


_DESCRIPTIONS = TypeAdapter(KeptMatch)
_CONTENTS = TypeAdapter(KeptContent)


def content_of(page: str, file: bytes, answers: list[str]) -> KeptContent:
    """Return a match's content."""
    return KeptContent(page, b64encode(file).decode(), tuple(answers))


class KeptMatches:
    """The kept matches of a folder; all functions block, and raise OSError.

    Args:
        folder: it is made when the first match is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> list[KeptMatch]:
        """Return the matches by their numbers; a description that cannot be read is logged."""
        found = []
        for path in self._folder.glob(f"*{_DESCRIPTION}"):
            try:
                found.append(_DESCRIPTIONS.validate_json(path.read_bytes()))
            except (ValidationError, OSError) as error:
                _log.warning("%s is no kept match: %s", path, str(error).splitlines()[0])
        return sorted(found, key=lambda each: each.match)

    def write(self, match: KeptMatch, content: KeptContent) -> None:
        """Keep a match."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        packed = gzip.compress(_CONTENTS.dump_json(content), compresslevel=6, mtime=0)
        write_whole_file(self._path(match.match, _CONTENT), packed)
        write_whole_file(self._path(match.match, _DESCRIPTION), _DESCRIPTIONS.dump_json(match))

    def content(self, number: int) -> KeptContent:
        """Return a match's content; ValueError: it cannot be read any more."""
        try:
            packed = self._path(number, _CONTENT).read_bytes()
            return _CONTENTS.validate_json(gzip.decompress(packed))
        except (EOFError, gzip.BadGzipFile, zlib.error, ValidationError) as error:
            why = str(error).partition("\n")[0]
            raise ValueError(f"the kept match {number} is damaged: {why}") from None
        except OSError as error:
            why = file_error_text(error)
            raise ValueError(f"the kept match {number} cannot be read: {why}") from None

    def studied(self, match: KeptMatch) -> StudiedFile:
        """Return a match as games study it; ValueError: it cannot be read any more."""
        content = self.content(match.match)
        return StudiedFile(b64decode(content.file), match.name, match.level, content.answers)

    def delete(self, number: int) -> None:
        """Delete a match."""
        for kind in (_DESCRIPTION, _CONTENT):
            self._path(number, kind).unlink(missing_ok=True)

    def _path(self, number: int, kind: str) -> Path:
        return self._folder / f"{number}{kind}"
