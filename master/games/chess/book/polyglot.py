"""Books in the Polyglot format: sorted records of key, move, weight and learning data.

Source: M. Van den Bergh, "Polyglot book format".  A record has 16 bytes, the highest byte of each
number first: the key in 8, the move in 2, its weight in 2, and 4 for programs that learn.  Castling
is written as the king taking its rook.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine_ext.chess.board import ChessBoard, square_name
from engine_ext.chess.fen import is_chess960
from master.games.chess.book.random_numbers import RANDOM_64

RECORD = struct.Struct(">QHHI")

PIECES = "pPnNbBrRqQkK"
"""In the order of the key's numbers: 64 for each."""

CASTLING_SQUARES = 7, 0, 63, 56
"""The rooks of White and Black, the king's side first, in the order of the key's numbers."""

CASTLING_FIRST, EN_PASSANT_FIRST, TURN = 768, 772, 780

PROMOTIONS = ("", "n", "b", "r", "q")

RECORDS_MAX = 256
"""Of one position: none has more moves.  A file with more is damaged."""

CHECKED = 16
"""Keys that are compared when a book is opened."""

KEY_MAX = (1 << 64) - 1


class BookError(ValueError):
    """A file that is no book; one line that names the expected content."""


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book.

    Args:
        move: in UCI's words, castling by the rook's square.
        weight: the larger, the better or the more often played.
    """

    move: str
    weight: int


def polyglot_key(board: ChessBoard) -> int:
    """Return the key of a position of standard chess."""
    key = 0 if board.is_black else RANDOM_64[TURN]
    for square, sign in enumerate(board.signs):
        if sign != "-":
            key ^= RANDOM_64[64 * PIECES.index(sign) + square]
    for number, rook in enumerate(CASTLING_SQUARES):
        if board.castling >> rook & 1:
            key ^= RANDOM_64[CASTLING_FIRST + number]
    file = _en_passant_file(board)
    return key if file is None else key ^ RANDOM_64[EN_PASSANT_FIRST + file]


def _en_passant_file(board: ChessBoard) -> int | None:
    """Return the file of a pawn that has just passed one of the other side, which may be pinned."""
    square = board.en_passant
    if square is None:
        return None
    file, pawn = square % 8, "p" if board.is_black else "P"
    passed = square + 8 if board.is_black else square - 8
    beside = [passed + step for step in (-1, 1) if 0 <= file + step < 8]
    return file if any(board.signs[each] == pawn for each in beside) else None


class PolyglotBook:
    """A book; it stays on the disk, and is opened for each position.

    Args:
        path: of the file.

    Raises:
        BookError: it cannot be read, or is no such book.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with _opened(path) as stream:
                is_book = _is_sorted(stream)
        except OSError as error:
            raise BookError(f"cannot read {path}: {error.strerror}") from error
        if not is_book:
            raise BookError(f"{path.name}: expected a Polyglot book, records of 16 bytes in order")

    def moves(self, board: ChessBoard) -> tuple[BookMove, ...]:
        """Return the legal moves with a weight, the heaviest first, ties by the move's name.

        Raises:
            BookError: the file cannot be read any more.
        """
        if is_chess960(board):
            return ()
        legal = set(board.moves(True))
        try:
            with _opened(self.path) as stream:
                listed = dict(_listed(stream, polyglot_key(board)))
        except OSError as error:
            raise BookError(f"cannot read {self.path}: {error.strerror}") from error
        moves = [BookMove(move, n) for move, n in listed.items() if n and move in legal]
        return tuple(sorted(moves, key=lambda each: (-each.weight, each.move)))


def _opened(path: Path) -> BinaryIO:
    """Open a file for reading; a pipe, which has no size, is not waited for."""
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK))


def _count(stream: BinaryIO) -> int:
    return os.fstat(stream.fileno()).st_size // RECORD.size


def _record(stream: BinaryIO, place: int) -> tuple[int, int, int]:
    """Return key, move and weight of a record.

    The file is not mapped into memory: if it became shorter, that would end the process.
    """
    stream.seek(place * RECORD.size)
    content = stream.read(RECORD.size)
    if len(content) < RECORD.size:
        return KEY_MAX, 0, 0
    key, move, weight, _ = RECORD.unpack(content)
    return key, move, weight


def _is_sorted(stream: BinaryIO) -> bool:
    """Whether a file has whole records, and a few keys are in order: other files' are not."""
    count = _count(stream)
    if not count or os.fstat(stream.fileno()).st_size % RECORD.size:
        return False
    places = sorted({count * part // CHECKED for part in range(CHECKED)} | {count - 1})
    keys = [_record(stream, place)[0] for place in places]
    return keys == sorted(keys)


def _listed(stream: BinaryIO, key: int) -> Iterator[tuple[str, int]]:
    """Yield moves and weights of a key."""
    first, end = 0, _count(stream)
    while first < end:
        middle = (first + end) // 2
        if _record(stream, middle)[0] < key:
            first = middle + 1
        else:
            end = middle
    for place in range(first, min(first + RECORDS_MAX, _count(stream))):
        found, move, weight = _record(stream, place)
        if found != key:
            return
        yield _name(move), weight


def _name(move: int) -> str:
    """Return a record's move in UCI's words; an unknown promotion is no legal move."""
    promotion = move >> 12 & 7
    letter = PROMOTIONS[promotion] if promotion < len(PROMOTIONS) else "?"
    return f"{square_name(move >> 6 & 63)}{square_name(move & 63)}{letter}"
