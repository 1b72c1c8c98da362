"""PGN files with any number of games.

Knows where one game ends and the next begins; a game's text is read by record.py.
"""

from __future__ import annotations

import re
from pathlib import Path

from master.games.chess.record import GAME_CHARACTERS_MAX, ChessRecord, read_pgn
from master.games.errors import RecordError

GAMES_MAX = 1_000
"""A day of one core."""

FILE_BYTES_MAX = GAMES_MAX * GAME_CHARACTERS_MAX

_NEXT_GAME = re.compile(r"\n[ \t]*\n(?=\[[A-Z])")
"""Tags after an empty line; those of one game have none between them, and moves one before."""


def read_records(path: Path) -> list[ChessRecord]:
    """Return a file's games.

    Raises:
        RecordError: it cannot be read, or holds something else; names the game and says what was
            expected.
    """
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise RecordError(f"{path.name} has more than {FILE_BYTES_MAX:,} bytes")
        content = path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    return records_of(content, path.name)


def records_of(content: bytes, name: str) -> list[ChessRecord]:
    """Return the games of a file's content; RecordError likewise."""
    text = content.decode("utf-8", errors="replace").replace("\r\n", "\n")
    pieces = [piece for piece in _NEXT_GAME.split(text) if piece.strip()]
    if not pieces:
        raise RecordError(f"{name} is empty: expected games in PGN")
    if len(pieces) > GAMES_MAX:
        raise RecordError(f"{name} has {len(pieces):,} games, more than {GAMES_MAX:,}")
    return [_read(name, number, piece) for number, piece in enumerate(pieces, 1)]


def _read(name: str, number: int, text: str) -> ChessRecord:
    try:
        record, _ = read_pgn(text)
    except ValueError as error:
        raise RecordError(f"{name}, game {number}: {error}") from error
    return record
