"""Positions of chess that `manyply show` draws."""

from __future__ import annotations

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, is_chess960, write_fen
from master.cli.chess.search_command import show_chess_board
from master.cli.output import echo, echo_json
from master.games.chess.typed import read_typed_fen

POSITION_PREFIX = "chess:"


def read_shown(text: str) -> ChessBoard:
    """Return the position of the FEN that follows `chess:`; ValueError for anything else."""
    if not text.startswith(POSITION_PREFIX):
        raise ValueError(f"no position of chess, which is {POSITION_PREFIX} and a FEN, in quotes")
    return read_typed_fen(text.removeprefix(POSITION_PREFIX) or START)


def show_position(board: ChessBoard, *, is_json: bool) -> None:
    """Draw a position, or print its FEN and its moves as an object."""
    fen = write_fen(board, is_chess960(board))
    if is_json:
        echo_json({"fen": fen, "moves": board.moves(is_chess960(board))})
        return
    echo(fen)
    show_chess_board(board)
