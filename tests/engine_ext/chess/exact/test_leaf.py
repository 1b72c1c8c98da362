"""Values at depth 0: the definition, any window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.leaf import leaf_worth
from engine_ext.chess.fen import read_fen
from tests.engine_ext.chess.exact.reference_exact import leaf
from tests.engine_ext.chess.positions import boards


@given(boards)
@pytest.mark.when_changed
def test_is_what_the_definition_says(board: ChessBoard) -> None:
    assert leaf_worth(board) == leaf(board)


@given(boards, st.integers(-600, 600), st.integers(1, 300))
def test_windows_prove_bounds(board: ChessBoard, alpha: int, width: int) -> None:
    value, found = leaf_worth(board), leaf_worth(board, alpha, alpha + width)
    if found <= alpha:
        assert value <= found
    elif found >= alpha + width:
        assert value >= found
    else:
        assert value == found


@given(boards)
def test_colours_do_not_matter(board: ChessBoard) -> None:
    assert leaf_worth(board) == leaf_worth(board.mirrored())


def test_mate_is_seen() -> None:
    assert leaf_worth(read_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")) == -29_000
