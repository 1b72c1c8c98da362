"""Static values, of four terms or of patterns, against plain Python, on boards of all sizes."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation, MobilityEvaluation
from engine_ext.othello.features import (
    MOBILITY_WEIGHT,
    POTENTIAL_WEIGHT,
    SQUARE_WEIGHTS,
    STONE_WEIGHT,
    FourTermEvaluation,
    square_classes,
)
from engine_ext.othello.search import default_evaluation
from tests.engine_ext.othello.positions import boards, played, sizes, strewn_boards
from tests.engine_ext.othello.reference_othello import STEPS, Grid, grid, legal, other

MOBILITY = MobilityEvaluation()


@given(boards(), st.integers(0, 7))
def test_value_is_a_function_of_the_position_up_to_symmetry(
    board: OthelloBoard, symmetry: int
) -> None:
    assert MOBILITY.value(board.transformed(symmetry)) == MOBILITY.value(board)


@given(st.integers(0, 10**6), st.integers(0, 30), sizes)
@pytest.mark.when_changed
def test_what_is_good_for_one_is_bad_for_the_other(seed: int, empties: int, size: int) -> None:
    board = played(seed, empties, size)
    evaluation = MobilityEvaluation(size)
    other = OthelloBoard(board.opponent, board.player, "X", size)
    assert evaluation.value(other) == -evaluation.value(board)


def test_a_corner_is_worth_having_and_not_giving() -> None:
    squares = "-" * 18 + "XO----OX" + "-" * 38
    corner = OthelloBoard.from_text("X" + squares[1:] + "X")
    risk = OthelloBoard.from_text(squares[:9] + "X" + squares[10:] + "X")
    neither = OthelloBoard.from_text(squares + "X")
    assert MOBILITY.value(risk) < MOBILITY.value(neither) < MOBILITY.value(corner)


def test_an_evaluation_is_of_a_kind() -> None:
    with pytest.raises(TypeError, match="of a kind"):
        Evaluation().value(OthelloBoard.start())
    with pytest.raises(ValueError, match="4, 6 or 8 squares a side, not 5"):
        MobilityEvaluation(5)


def plain_value(evaluation: Evaluation, board: OthelloBoard, plies: int) -> int:
    if board.is_over:
        return board.final_score * 100
    if board.must_pass:
        return -plain_value(evaluation, board.passed(), plies)
    if plies == 0:
        return evaluation.value(board)
    return max(-plain_value(evaluation, board.play(move), plies - 1) for move in board.moves())


@given(st.integers(0, 10**6), st.integers(0, 56), sizes, st.integers(0, 2))
def test_a_glance_is_a_plain_search(seed: int, empties: int, size: int, plies: int) -> None:
    board = played(seed, empties, size)
    evaluation = default_evaluation(size)
    value, count = evaluation.lookahead(board, plies)
    assert value == plain_value(evaluation, board, plies)
    assert count >= 1
    assert plies > 0 or count == 1


def test_a_glance_is_short_and_of_a_kind() -> None:
    with pytest.raises(ValueError, match="expected 0 to 3 plies, not 4"):
        MOBILITY.lookahead(OthelloBoard.start(), 4)
    with pytest.raises(TypeError, match="of a kind"):
        Evaluation().lookahead(OthelloBoard.start(), 1)


def test_threads_share_an_evaluation() -> None:
    board = OthelloBoard.start().play("f5")
    with ThreadPoolExecutor(4) as pool:
        values = set(pool.map(MOBILITY.value, [board] * 100))
    assert values == {MOBILITY.value(board)}


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


def sum_of_terms(board: OthelloBoard) -> int:
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
    assert FourTermEvaluation(board.size).value(board) == sum_of_terms(board)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_each_square_is_in_one_class(size: int) -> None:
    counts = [mask.bit_count() for mask in square_classes(size).values()]
    together = sum(square_classes(size).values())
    assert sum(counts) == size * size == together.bit_count()


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="4, 6 or 8 squares a side, not 5"):
        FourTermEvaluation(5)
