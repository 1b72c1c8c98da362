"""A search in steps: how it is cut changes nothing; what it tells of moves is true."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import ROOT, GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, SPLIT_DEPTH, ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.control import RunControl
from tests.engine_ext.chess.positions import boards

playable = boards.filter(lambda board: board.move_count > 0)


@settings(max_examples=30, deadline=None)
@given(playable, st.integers(1, 9), st.integers(1, 3000))
def test_steps_change_nothing(board: ChessBoard, depth: int, nodes: int) -> None:
    whole, stepped = (ExactSearch(Position(board, ROOT), depth) for _ in range(2))
    whole.run()
    while not stepped.step(nodes):
        pass
    assert (whole.value, whole.best_move, whole.nodes) == (
        stepped.value, stepped.best_move, stepped.nodes
    )  # fmt: skip
    assert whole.move_bounds == stepped.move_bounds


@settings(max_examples=30, deadline=None)
@given(playable, st.integers(SPLIT_DEPTH, 9), st.integers(1, 5000))
def test_what_an_unfinished_search_tells_is_true(board: ChessBoard, depth: int, nodes: int) -> None:
    search = ExactSearch(Position(board, ROOT), depth, first_depth=depth)
    search.step(nodes)
    children = Position(board, ROOT).children(depth, GameBefore())
    assert search.move_count == len(children)
    for place, (lower, upper, _) in list(search.move_bounds.items())[:6]:
        if (lower, upper) == (-LARGEST_VALUE, LARGEST_VALUE):
            continue
        child, below = children[int(place)]
        alone = ExactSearch(Position.from_bytes(child), below)
        alone.run()
        assert alone.value is not None
        assert lower <= -alone.value <= upper


@settings(max_examples=20, deadline=None)
@given(playable, st.integers(SPLIT_DEPTH, 8))
@pytest.mark.when_changed
def test_the_first_of_the_best_moves_is_named(board: ChessBoard, depth: int) -> None:
    search = ExactSearch(Position(board, ROOT), depth)
    search.run()
    children = Position(board, ROOT).children(depth, GameBefore())
    values = []
    for child, below in children:
        alone = ExactSearch(Position.from_bytes(child), below)
        alone.run()
        assert alone.value is not None
        values.append(-alone.value)
    assert search.value == max(values)
    assert search.best_move == str(values.index(max(values)))


def test_positions_of_two_depths_are_worth_the_greater() -> None:
    board = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    alone = {}
    for depth in (6, 9):
        search = ExactSearch(Position(board), depth)
        search.run()
        alone[depth] = search.value
    both = ExactSearch(Position(board, 0, 6), 9)
    both.run()
    assert both.value == max(filter(None, alone.values()))


def test_a_stopped_search_stays_where_it_is() -> None:
    control = RunControl()
    search = ExactSearch(Position(read_fen(START), ROOT), 30, control=control)
    assert not search.step(2000)
    control.stop()
    before = search.nodes
    assert not search.run()
    assert search.nodes - before < 1024
    assert search.value is None


@pytest.mark.parametrize("arguments", [(-1,), (41,), (8, 5, 5), (8, -40_000, 0)])
def test_what_cannot_be_searched_is_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"a depth is|a window is"):
        ExactSearch(Position(read_fen(START), ROOT), *arguments)
