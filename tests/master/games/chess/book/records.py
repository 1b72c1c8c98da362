"""Polyglot books made for tests."""

from __future__ import annotations

import struct
from pathlib import Path

from engine_ext.chess.board import ChessBoard
from master.games.chess.book.polyglot import PolyglotBook, polyglot_key


def record(key: int, move: str, weight: int) -> bytes:
    """Return a record of a move, in UCI's words with castling by the rook's square."""
    squares = [ord(word[0]) - ord("a") + 8 * (int(word[1]) - 1) for word in (move[:2], move[2:4])]
    promotion = " nbrq".index(move[4]) if len(move) > 4 else 0
    return struct.pack(">QHHI", key, promotion << 12 | squares[0] << 6 | squares[1], weight, 0)


def book_of(path: Path, *records: tuple[ChessBoard, str, int]) -> PolyglotBook:
    packed = sorted(
        (record(polyglot_key(board), move, weight) for board, move, weight in records),
        key=lambda each: each[:8],
    )
    path.write_bytes(b"".join(packed))
    return PolyglotBook(path)
