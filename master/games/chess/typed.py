"""Positions of chess as people type them.

Knows FEN and what people leave out of it.  Must not know options or pages.
"""

from __future__ import annotations

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import read_fen

NO_COUNTS = ("0", "1")
"""Half-move clock and move number, where an EPD leaves them out."""


def read_typed_fen(text: str) -> ChessBoard:
    """Return the position of a FEN, or of an EPD's first four words; ValueError if it is none."""
    words = text.split()
    return read_fen(" ".join((*words, *NO_COUNTS) if len(words) == 4 else words))
