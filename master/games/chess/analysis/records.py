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
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from error
    pieces = [piece for piece in _NEXT_GAME.split(text.replace("\r\n", "\n")) if piece.strip()]
    if not pieces:
        raise RecordError(f"{path.name} is empty: expected games in PGN")
    if len(pieces) > GAMES_MAX:
        raise RecordError(f"{path.name} has {len(pieces):,} games, more than {GAMES_MAX:,}")
    return [_read(path.name, number, piece) for number, piece in enumerate(pieces, 1)]


def _read(name: str, number: int, text: str) -> ChessRecord:
    try:
        record, _ = read_pgn(text)
    except ValueError as error:
        raise RecordError(f"{name}, game {number}: {error}") from error
    return record
