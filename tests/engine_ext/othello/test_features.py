"""The four terms against plain Python, on boards of all sizes."""

import pytest
from hypothesis import given

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.features import (
    MOBILITY_WEIGHT,
    POTENTIAL_WEIGHT,
    SQUARE_WEIGHTS,
    STONE_WEIGHT,
    FourTermEvaluation,
    square_classes,
)
from tests.engine_ext.othello.positions import strewn_boards
from tests.engine_ext.othello.reference_othello import STEPS, Grid, grid, legal, other

LETTERS = {"+": "corner", "c": "c", "a": "a", "e": "edge", "x": "x", "r": "ring", ".": "middle"}
ROWS = {
    8: ["+caeeac+", "cxrrrrxc", "ar....ra", "er....re"],
    6: ["+caac+", "cxrrxc", "ar..ra"],
    4: ["+cc+", "cxxc"],
}


def drawn(size: int) -> list[str]:
    return ROWS[size] + ROWS[size][::-1]


def exposed(squares: Grid, side: str) -> int:
    """Empty squares beside a disc of the side."""
    return sum(
        sign == "-" and any(squares.get((file + x, rank + y)) == side for x, y in STEPS)
        for (file, rank), sign in squares.items()
    )


def plain_value(board: OthelloBoard) -> int:
    squares, side = grid(board.to_text()[:-2]), board.to_move
    value = 0
    for (file, rank), sign in squares.items():
        kind = LETTERS[drawn(board.size)[rank][file]]
        worth = STONE_WEIGHT + SQUARE_WEIGHTS[kind]
        value += worth * ((sign == side) - (sign == other(side)))
    value += MOBILITY_WEIGHT * (len(legal(squares, side)) - len(legal(squares, other(side))))
    return value + POTENTIAL_WEIGHT * (exposed(squares, other(side)) - exposed(squares, side))


@given(strewn_boards())
def test_value_is_the_sum_of_the_four_terms(board: OthelloBoard) -> None:
    assert FourTermEvaluation(board.size).value(board) == plain_value(board)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_each_square_is_in_one_class(size: int) -> None:
    counts = [mask.bit_count() for mask in square_classes(size).values()]
    together = sum(square_classes(size).values())
    assert sum(counts) == size * size == together.bit_count()


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="4, 6 or 8 squares a side, not 5"):
        FourTermEvaluation(5)
