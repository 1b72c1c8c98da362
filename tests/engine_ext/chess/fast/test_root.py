"""The root of the fast search: iterations, their best moves, what stops them."""

import pytest
from hypothesis import given, settings

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import DEPTH_MAX, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen, write_fen
from engine_ext.control import RunControl
from tests.engine_ext.chess.fast.searches import KIWIPETE, SMALL, search
from tests.engine_ext.chess.positions import boards

chess = pytest.importorskip("chess", reason="the `chess` package is not installed")


@given(boards)
@settings(max_examples=60)
def test_lines_are_legal_and_their_values_in_order(board: ChessBoard) -> None:
    if board.move_count == 0:
        return
    found = FastSearch(board, line_count=3, table=FastTable(SMALL), is_chess960=True)
    for _ in range(3):
        assert found.deepen()
    lines = found.lines
    assert len(lines) == min(3, board.move_count)
    assert [value for value, _ in lines] == sorted((value for value, _ in lines), reverse=True)
    assert len({line[0] for _, line in lines}) == len(lines)
    for _, line in lines:
        game = chess.Board(write_fen(board), chess960=True)
        for move in line:
            game.push_uci(move)  # raises if it is not legal


def test_nodes_end_it_and_what_is_known_stays() -> None:
    found = FastSearch(read_fen(KIWIPETE), nodes_max=20_000)
    while found.deepen():
        before = found.lines
    assert 20_000 <= found.nodes < 20_100  # some more on the way back
    assert found.depth > 3
    assert not found.deepen()
    assert found.lines[0][1]
    assert before


def test_stopped_search_still_has_a_move() -> None:
    control = RunControl()
    control.stop()
    found = FastSearch(read_fen(START), control=control)
    assert found.current_move is None
    assert found.deepen()
    assert not found.deepen()
    assert found.depth == 1
    assert found.lines[0][1][0] in read_fen(START).moves()


def test_deepest_iteration_is_the_last() -> None:
    found = search("8/8/8/4k3/8/8/8/4KB2 w - - 0 1", DEPTH_MAX + 1)
    assert found.depth == DEPTH_MAX
    assert not found.deepen()
    assert found.selective_depth >= 1
