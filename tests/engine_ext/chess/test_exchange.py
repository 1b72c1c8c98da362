"""What captures on a square gain, against a plain search of those captures."""

import chess
import pytest
from hypothesis import given

from engine_ext.chess.exchange import gains
from tests.engine_ext.chess.positions import judged_boards, ours

WORTH = {
    chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 950,
    chess.KING: 20_000,
}  # fmt: skip


def cheapest(board: chess.Board, square: int, side: chess.Color, flip: int) -> int | None:
    """Return the cheapest man of a side that attacks a square; of a kind the first to us."""
    men = board.attackers(side, square)
    return min(men, key=lambda each: (worth(board, each), each ^ flip), default=None)


def worth(board: chess.Board, square: int) -> int:
    man = board.piece_type_at(square)
    return WORTH[man] if man else 0


def best(board: chess.Board, square: int, side: chess.Color, flip: int) -> int:
    """Return what a side gains by taking on a square, or by leaving it."""
    start = cheapest(board, square, side, flip)
    if start is None:
        return 0
    man = board.piece_at(start)
    assert man is not None
    if man.piece_type == chess.KING and board.attackers(not side, square):
        return 0
    after = board.copy(stack=False)
    after.remove_piece_at(start)
    after.set_piece_at(square, man)
    return max(0, worth(board, square) - best(after, square, not side, flip))


def gained(board: chess.Board, move: chess.Move) -> int:
    """Return what a move gains once the captures on its square are over."""
    man = board.piece_at(move.from_square)
    assert man is not None
    won = worth(board, move.to_square)
    after = board.copy(stack=False)
    after.remove_piece_at(move.from_square)
    if board.is_en_passant(move):
        won = WORTH[chess.PAWN]
        after.remove_piece_at(move.to_square + (-8 if board.turn else 8))
    if move.promotion:
        won += WORTH[move.promotion] - WORTH[chess.PAWN]
        man = chess.Piece(move.promotion, man.color)
    after.set_piece_at(move.to_square, man)
    return won - best(after, move.to_square, not board.turn, 0 if board.turn else 56)


@given(judged_boards)
@pytest.mark.when_changed
def test_gain_is_that_of_a_plain_search(board: chess.Board) -> None:
    mine = ours(board)
    for move in list(board.legal_moves):
        if board.is_castling(move):
            continue
        gain = gained(board, move)
        name = board.uci(move)
        assert gains(mine, name, gain), (board.fen(), name, gain)
        assert not gains(mine, name, gain + 1), (board.fen(), name, gain)


def test_castling_gains_nothing_and_a_move_that_is_none_is_refused() -> None:
    board = ours(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert gains(board, "e1g1", 0)
    assert not gains(board, "e1g1", 1)
    with pytest.raises(ValueError, match="is no legal move here"):
        gains(board, "e1e8", 0)
