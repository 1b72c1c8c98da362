"""The face of the search: steps, stops, lines and bad arguments."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.features import FourTermEvaluation
from engine_ext.othello.search import MODES, DepthSearch, default_evaluation
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.pattern_weights import random_evaluation
from tests.engine_ext.othello.positions import played


def search_of(board: OthelloBoard, depth: int, *, mode: str = "reproducible") -> DepthSearch:
    return DepthSearch(
        board, depth, table=HashTable(1 << 18), evaluation=random_evaluation(), mode=mode
    )


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 5000), st.sampled_from(MODES))
@settings(max_examples=30)
def test_stepping_equals_running(seed: int, nodes: int, mode: str) -> None:
    board = played(seed, 40)
    straight, stepped = search_of(board, 6, mode=mode), search_of(board, 6, mode=mode)
    straight.run()
    while not stepped.step(nodes):
        pass
    assert stepped.value == straight.value
    assert stepped.nodes == straight.nodes
    assert stepped.best_move == straight.best_move
    assert stepped.move_bounds == straight.move_bounds
    assert stepped.pv == straight.pv


def test_step_ends_soon_after_its_nodes() -> None:
    search = search_of(OthelloBoard.start(), 12)
    before = 0
    for _ in range(50):
        assert not search.step(3000)
        assert 3000 <= search.nodes - before <= 3000 + 100
        before = search.nodes


def test_iterations_can_be_watched() -> None:
    search = search_of(OthelloBoard.start(), 6)
    assert (search.depth, search.value, search.best_move, search.pv) == (-1, None, None, [])
    assert search.depth_begun == -1
    depths = []
    while not search.step(1):
        depths.append(search.depth)
        assert search.depth_begun == max(search.depth, 0) + 1
    assert depths == sorted(depths)
    assert search.depth_begun == 6
    assert search.depth == 6
    assert search.is_done
    assert search.run()


def test_stopped_search_stays_where_it_is_and_counts_its_nodes() -> None:
    control = RunControl()
    search = DepthSearch(
        OthelloBoard.start(), 60, control=control, evaluation=random_evaluation(),
        table=HashTable(1 << 20),
    )  # fmt: skip
    thread = threading.Thread(target=search.run)
    thread.start()
    while control.steps < 10_000:
        pass
    control.stop()
    thread.join()
    assert not search.is_done
    nodes = search.nodes
    assert control.steps == nodes
    assert not search.run()
    assert search.nodes == nodes


def test_line_is_playable_and_leads_to_the_value() -> None:
    board = played(3, 30)
    search = search_of(board, 7)
    search.run()
    line = search.pv
    assert line[0] == search.best_move
    assert len(line) >= 5
    for depth, move in enumerate(line):
        after = board.play(move)
        board = after.passed() if after.must_pass else after
        rest = search_of(board, 7 - depth - 1)
        rest.run()
        side = 1 if (board.to_move == search.board.to_move) else -1
        assert rest.value == side * (search.value or 0)


def test_side_that_must_pass_has_a_value_and_no_move() -> None:
    board = next(board for board in (played(seed, 8) for seed in range(500)) if board.must_pass)
    search, other = search_of(board, 4), search_of(board.passed(), 4)
    search.run()
    other.run()
    assert search.value == -(other.value or 0)
    assert search.best_move is None
    assert search.move_bounds == {}


def test_finished_game_is_worth_its_score() -> None:
    board = played(5, 0)
    assert board.is_over
    search = search_of(board, 3)
    search.run()
    assert search.value == 100 * board.final_score


def test_defaults_know_every_size() -> None:
    for size in (4, 6, 8):
        search = DepthSearch(OthelloBoard.start(size), 3)
        assert search.run()
    assert isinstance(default_evaluation(6), FourTermEvaluation)


def test_bad_arguments_are_named() -> None:
    board = OthelloBoard.start()
    with pytest.raises(ValueError, match="depth is 0 to 60, not 61"):
        DepthSearch(board, 61)
    with pytest.raises(ValueError, match=r"window .* not \(5, 5\)"):
        DepthSearch(board, 3, 5, 5)
    with pytest.raises(ValueError, match="first depth is 0 or more"):
        DepthSearch(board, 3, first_depth=-1)
    with pytest.raises(ValueError, match="pvs or mtdf, not 'sss'"):
        DepthSearch(board, 3, algorithm="sss")
    with pytest.raises(ValueError, match="reproducible or fast, not 'quick'"):
        DepthSearch(board, 3, mode="quick")
    with pytest.raises(TypeError, match="of a kind"):
        DepthSearch(board, 3, evaluation=Evaluation())
    with pytest.raises(ValueError, match="1 node or more"):
        search_of(board, 3).step(0)
