"""Arguments that commands about chess share."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engine_ext.chess.board import ChessBoard
from master.games.chess.typed import read_typed_fen


def to_chess_board(words: Sequence[str]) -> ChessBoard:
    """Return the position of a FEN, or of an EPD's first four words; UsageError if it is none."""
    try:
        return read_typed_fen(" ".join(words))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
