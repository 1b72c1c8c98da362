"""Arguments that commands about chess share."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import read_fen

NO_COUNTS = ("0", "1")
"""Half-move clock and move number, where an EPD leaves them out."""


def to_chess_board(words: Sequence[str]) -> ChessBoard:
    """Return the position of a FEN, or of an EPD's first four words; UsageError if it is none."""
    try:
        return read_fen(whole_fen(" ".join(words)))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def whole_fen(text: str) -> str:
    """Return a FEN with one space between its words, an EPD's with the counts it leaves out."""
    words = text.split()
    return " ".join((*words, *NO_COUNTS) if len(words) == 4 else words)
