"""Positions of few men, where a plain reference sees far, and of games."""

import random

import chess
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from tests.engine_ext.chess.positions import ours


def ending(seed: int) -> ChessBoard:
    """Put two kings and two to five other men on a board, somebody to move who may."""
    choose = random.Random(seed)
    while True:
        board = chess.Board(None)
        squares = choose.sample(range(64), choose.randint(4, 7))
        board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
        board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
        for square in squares[2:]:
            is_edge = square // 8 in (0, 7)
            kind = choose.choice("NnBbRrQq" if is_edge else "PpPpNnBbRrQq")
            board.set_piece_at(square, chess.Piece.from_symbol(kind))
        board.turn = choose.random() < 0.5
        board.halfmove_clock = choose.choice([0, 0, 3, 93, 97, 98, 99])
        if board.is_valid() and any(board.legal_moves):
            return ours(board)


endings = st.builds(ending, st.integers(0, 10**6))
