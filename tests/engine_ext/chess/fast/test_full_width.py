"""The fast search below its root: mates, and what selectivity must not overlook."""

import pytest
from hypothesis import given, settings

from engine_ext.chess.board import ChessBoard, available_kernels, force_kernel
from engine_ext.chess.fast.search import MATE_VALUE, FastSearch
from engine_ext.chess.fast.table import FastTable
from tests.engine_ext.chess.fast.searches import SMALL, search
from tests.engine_ext.chess.positions import boards

chess = pytest.importorskip("chess", reason="the `chess` package is not installed")


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 3),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 5),
        ("8/8/8/8/8/5k2/4q3/7K b - - 0 1", 1),
    ],
)
def test_mate_that_is_found_is_told_and_holds(fen: str, plies: int) -> None:
    ((value, line),) = search(fen, 12).lines
    assert value == MATE_VALUE - plies
    assert len(line) == plies
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move)
    assert board.is_checkmate()


def test_side_that_is_mated_sees_it() -> None:
    ((value, _),) = search("7k/8/8/6Q1/5K2/8/8/8 b - - 0 1", 14).lines
    assert -MATE_VALUE < value < -MATE_VALUE + 40


@given(boards)
@settings(max_examples=40)
def test_same_search_is_the_same_search(board: ChessBoard) -> None:
    if board.move_count == 0:
        return
    seen = set()
    try:
        for kernel in (*available_kernels(), available_kernels()[0]):
            force_kernel(kernel)
            found = FastSearch(board, table=FastTable(SMALL))
            for _ in range(4):
                assert found.deepen()
            seen.add((found.nodes, str(found.lines)))
    finally:
        force_kernel(available_kernels()[0])
    assert len(seen) == 1


def test_side_that_must_move_is_not_thought_to_pass() -> None:
    # After Rf1 Black has to take, and then to move: a pass would be worth more than any move.
    fen = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1"
    assert search(fen, 23).lines[0][1][0] == "e1f1"
