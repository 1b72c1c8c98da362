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
    text = " ".join(words)
    if len(text.split()) == 4:
        text = " ".join((*text.split(), *NO_COUNTS))
    try:
        return read_fen(" ".join(text.split()))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
