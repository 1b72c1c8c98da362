"""Positions that random games reach, ours and those of the library that judges."""

import random

import chess
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import read_fen


def judged(seed: int, moves: int, start: int | None = None) -> chess.Board:
    """Play random moves: from the usual start, or from one of the 960."""
    choose = random.Random(seed)
    board = chess.Board() if start is None else chess.Board.from_chess960_pos(start)
    for _ in range(moves):
        legal = sorted(board.legal_moves, key=chess.Move.uci)
        if not legal:
            break
        board.push(choose.choice(legal))
    return board


def ours(board: chess.Board) -> ChessBoard:
    """Return the same position as ours."""
    return read_fen(board.fen(shredder=True, en_passant="xfen"))


judged_boards = st.builds(
    judged, st.integers(0, 10**6), st.integers(0, 160), st.one_of(st.none(), st.integers(0, 959))
)
"""Positions of games, finished ones among them."""

boards = judged_boards.map(ours)
playable = boards.filter(lambda board: board.move_count > 0)
