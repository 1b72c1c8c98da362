"""PGN files with any number of games, read one by one.

pgn/splitting.py finds the end of a game, pgn/reading.py reads its text.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, repeat
from pathlib import Path

from master.games.chess.pgn.reading import PgnError, PgnGame, read_game
from master.games.chess.pgn.splitting import LINE_BYTES_MAX, GameText, is_like_pgn, split_games
from master.games.chess.record import ChessRecord
from master.games.errors import RecordError
from master.games.skipped import GameNumbers, SkippedGame, game_place
from master.games.text_decoding import UTF8_BYTES_MAX, is_utf16

EXPECTED = 'expected PGN: tags such as [White "Ann"], then moves'

HEAD_BYTES = 1 << 12
"""The first bytes of a file; they show whether it is text."""

UNLIKE_MAX = 16
"""Games at the start of a file without a tag or a move that are kept back: it may be no PGN."""

_GZIP = b"\x1f\x8b"

WARNINGS_MAX = 8
"""About one game; each is a line."""


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game of a file.

    Args:
        number: from 1.
        line: of the file, on which it begins.
        record: the game itself.
        warnings: the contradictions in its text, and how they were read.
        file: the name of the file; empty: it has none.
        lines: of the file, that the first warnings are about; others are about the game.
    """

    number: int
    line: int
    record: ChessRecord
    warnings: tuple[str, ...] = ()
    file: str = ""
    lines: tuple[int, ...] = ()

    def warning_lines(self, name: str) -> list[str]:
        """Return the warnings with the place of the game; `name` is the file's."""
        lines = chain(self.lines, repeat(self.line))
        return [
            f"{game_place(name, self.number, line)}: {each}"
            for each, line in zip(self.warnings[:WARNINGS_MAX], lines, strict=False)
        ]


def sides_called(record: ChessRecord, name: str) -> str:
    """Return the sides, of "wb", whose player has all the words of a name, in any order."""
    wanted = set(_WORD.findall(name.casefold()))
    players = {"w": record.white, "b": record.black}
    return "".join(
        side
        for side, player in players.items()
        if wanted and wanted <= set(_WORD.findall(player.casefold()))
    )


_WORD = re.compile(r"\w+")


def read_records(
    path: Path, numbers: GameNumbers | None = None
) -> Iterator[ReadGame | SkippedGame]:
    """Yield a file's games in order; only one at a time is in memory.

    Args:
        path: of the file; a pipe will do.
        numbers: of the games that are wanted; None: all.

    Raises:
        RecordError: the file cannot be read, holds no game, or lacks the wanted ones; the text
            names the expected content.
    """
    try:
        with path.open("rb") as stream:
            yield from records_of(_lines(stream, path.name), path.name, numbers)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error


def all_records_of(content: bytes, name: str) -> Iterator[ReadGame | SkippedGame]:
    """Yield the games of a file's uncompressed content; RecordError likewise."""
    return records_of(_text_lines(io.BufferedReader(io.BytesIO(content)), name), name, None)


def _lines(stream: io.BufferedReader, name: str) -> Iterator[bytes]:
    """Yield the lines of a file, plain or compressed by gzip; only one at a time is in memory."""
    if not stream.peek(len(_GZIP)).startswith(_GZIP):
        yield from _text_lines(stream, name)
        return
    try:
        with gzip.GzipFile(fileobj=stream) as inflated:
            yield from _text_lines(inflated, name)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RecordError(f"{name}: expected a whole file that gzip compressed: {error}") from None


def _text_lines(stream: io.BufferedReader | gzip.GzipFile, name: str) -> Iterator[bytes]:
    """Yield the lines of a text, with UTF-16 converted to UTF-8."""
    head = stream.peek(HEAD_BYTES)[:HEAD_BYTES]
    if is_utf16(head):
        with io.TextIOWrapper(stream, encoding="utf-16", errors="replace", newline="\n") as text:
            for line in iter(partial(text.readline, LINE_BYTES_MAX // UTF8_BYTES_MAX), ""):
                yield line.encode()
        return
    if b"\0" in head:
        raise RecordError(f"{name}: {EXPECTED}; this is no text")
    yield from iter(partial(stream.readline, LINE_BYTES_MAX), b"")


def records_of(
    lines: Iterable[bytes], name: str, numbers: GameNumbers | None
) -> Iterator[ReadGame | SkippedGame]:
    """Yield the games of a file's lines; RecordError likewise."""

    def is_wanted(number: int) -> bool:
        return numbers is None or number in numbers

    count, unlike, may_be_none = 0, list[SkippedGame](), True
    for text in split_games(lines, is_wanted):
        count = text.number
        read = _read(text) if is_wanted(count) else None
        may_be_none = may_be_none and count <= UNLIKE_MAX and _is_unlike(text)
        if may_be_none and isinstance(read, SkippedGame):
            unlike.append(read)
        else:
            may_be_none = False
            yield from unlike
            unlike.clear()
            if read is not None:
                yield read
        if numbers is not None and count >= numbers.last:
            yield from unlike
            return
    if unlike:
        raise RecordError(f"{name}: {EXPECTED}")
    if not count:
        raise RecordError(f"{name} is empty: expected games in PGN")
    if numbers is not None:
        games = "1 game" if count == 1 else f"{count:,} games"
        raise RecordError(f"{name} has {games}: there is no game {numbers.last:,}")


def _is_unlike(text: GameText) -> bool:
    """Whether a text certainly contains no part of a game."""
    return bool(text.content) and not is_like_pgn(text.content)


def _read(text: GameText) -> ReadGame | SkippedGame:
    try:
        if text.fault:
            raise ValueError(text.fault)
        found: PgnGame = read_game(_decoded(text.content))
    except PgnError as error:
        return SkippedGame(text.number, str(error), text.line, text.line + error.line - 1)
    except ValueError as error:
        return SkippedGame(text.number, str(error), text.line)
    lines = tuple(text.line + line - 1 for line in found.warning_lines)
    return ReadGame(text.number, text.line, found.record, found.warnings, lines=lines)


def _decoded(content: bytes) -> str:
    """Return the text; content that is not UTF-8 is decoded line by line.

    A line is UTF-8, else Windows' code page 1252, else ISO 8859-1, the encoding of PGN's standard.
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
