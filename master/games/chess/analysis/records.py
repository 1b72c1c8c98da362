"""PGN files with any number of games, read one by one.

Knows files and bytes; where a game ends is pgn/splitting.py's, what it holds pgn/reading.py's.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from master.games.chess.pgn.reading import PgnGame, read_game
from master.games.chess.pgn.splitting import LINE_BYTES_MAX, GameText, split_games
from master.games.chess.record import ChessRecord
from master.games.errors import RecordError
from master.games.game_numbers import GameNumbers
from master.games.skipped import SkippedGame, game_place

WARNINGS_MAX = 8
"""About one game; each is a line."""


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game of a file.

    Args:
        number: from 1.
        line: of the file, on which it begins.
        record: what was played.
        warnings: what does not fit together, and how it was read.
    """

    number: int
    line: int
    record: ChessRecord
    warnings: tuple[str, ...] = ()

    def warning_lines(self, name: str) -> list[str]:
        """Return the warnings with the place of the game; `name` is the file's."""
        place = game_place(name, self.number, self.line)
        return [f"{place}: {each}" for each in self.warnings[:WARNINGS_MAX]]


def read_records(
    path: Path, numbers: GameNumbers | None = None
) -> Iterator[ReadGame | SkippedGame]:
    """Yield a file's games in order; in memory there is one at a time.

    Args:
        path: of the file; a pipe will do.
        numbers: of the games that are wanted; None: all.

    Raises:
        RecordError: it cannot be read, holds no game, or not those; says what was expected.
    """
    try:
        with path.open("rb") as stream:
            lines = iter(partial(stream.readline, LINE_BYTES_MAX), b"")
            yield from records_of(lines, path.name, numbers)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error


def all_records_of(content: bytes, name: str) -> Iterator[ReadGame | SkippedGame]:
    """Yield the games of a file's content; RecordError likewise."""
    stream = io.BytesIO(content)
    return records_of(iter(partial(stream.readline, LINE_BYTES_MAX), b""), name, None)


def records_of(
    lines: Iterable[bytes], name: str, numbers: GameNumbers | None
) -> Iterator[ReadGame | SkippedGame]:
    """Yield the games of a file's lines; RecordError likewise."""

    def is_wanted(number: int) -> bool:
        return numbers is None or number in numbers

    count = 0
    for text in split_games(lines, is_wanted):
        count = text.number
        if is_wanted(count):
            yield _read(text)
        if numbers is not None and count >= numbers.last:
            return
    if not count:
        raise RecordError(f"{name} is empty: expected games in PGN")
    if numbers is not None:
        games = "1 game" if count == 1 else f"{count:,} games"
        raise RecordError(f"{name} has {games}: there is no game {numbers.last:,}")


def _read(text: GameText) -> ReadGame | SkippedGame:
    try:
        if text.fault:
            raise ValueError(text.fault)
        found: PgnGame = read_game(_decoded(text.content))
    except ValueError as error:
        return SkippedGame(text.number, str(error), text.line)
    return ReadGame(text.number, text.line, found.record, found.warnings)


def _decoded(content: bytes) -> str:
    """Return text of UTF-8, else line by line of what PGN's standard has, ISO 8859-1.

    Of that the part of Windows too, where those have no letters.
    """
    try:
        return content.decode()
    except UnicodeDecodeError:
        return "".join(map(_decoded_line, content.splitlines(keepends=True)))


def _decoded_line(line: bytes) -> str:
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("iso8859-1")
