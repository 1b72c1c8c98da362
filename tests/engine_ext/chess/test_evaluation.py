"""Static values: laws that any evaluation keeps, and what everybody knows of chess."""

import pytest
from hypothesis import given

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.evaluation import VALUE_MAX, static_value
from engine_ext.chess.fen import START, read_fen
from tests.engine_ext.chess.positions import boards


@given(boards)
def test_value_is_the_same_with_colours_exchanged(board: ChessBoard) -> None:
    assert static_value(board) == static_value(board.mirrored())
    assert abs(static_value(board)) < VALUE_MAX


@given(boards)
def test_sides_see_one_position_from_both_sides(board: ChessBoard) -> None:
    """What one side is ahead the other is behind, but for the move, which is worth the same."""
    if board.is_check:
        return
    assert (
        0 <= static_value(board) + static_value(board.passed()) <= 4 * static_value(read_fen(START))
    )


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/B3K3 w - - 0 1"),
        ("6k1/3P4/8/8/8/8/8/4K3 w - - 0 1", "6k1/8/8/8/8/8/3P4/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1", "4k3/8/8/8/8/P7/P7/4K3 w - - 0 1"),
        ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1"),
    ],
)
def test_better_is_worth_more(better: str, worse: str) -> None:
    assert static_value(read_fen(better)) > static_value(read_fen(worse))
