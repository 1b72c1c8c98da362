"""Values and best moves against plain minimax: any algorithm, table, window and size."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.features import FourTermEvaluation
from engine_ext.othello.search import ALGORITHMS, MODES, DepthSearch
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.pattern_weights import random_evaluation
from tests.engine_ext.othello.positions import played, running

# Kept through a whole run: what one search leaves behind may not change another's value.
SHARED = {size: HashTable(1 << 15) for size in (4, 6, 8)}

boards = st.builds(played, st.integers(0, 10**6), st.integers(0, 58), st.sampled_from([4, 6, 8]))
algorithms = st.sampled_from(ALGORITHMS)


@cache
def evaluation(size: int) -> Evaluation:
    return random_evaluation() if size == 8 else FourTermEvaluation(size)


def minimax(board: OthelloBoard, depth: int) -> int:
    """V(board, depth) as midgame.pyx defines it."""
    if not board.empties or (depth and board.is_over):
        return 100 * board.final_score
    if depth == 0:
        return max(-6399, min(6399, evaluation(board.size).value(board)))
    if board.must_pass:
        return -minimax(board.passed(), depth)
    return max(-minimax(board.play(move), depth - 1) for move in board.moves())


def first_best(board: OthelloBoard, depth: int, value: int) -> str | None:
    if depth == 0:
        return None
    moves = [move for move in board.moves() if -minimax(board.play(move), depth - 1) == value]
    return moves[0] if moves else None


def searched(board: OthelloBoard, depth: int, table: HashTable, algorithm: str) -> DepthSearch:
    search = DepthSearch(
        board, depth, table=table, evaluation=evaluation(board.size), algorithm=algorithm
    )
    assert search.run()
    return search


@pytest.mark.slow
@given(boards, st.integers(0, 3), algorithms)
@settings(max_examples=60)
@pytest.mark.when_changed
def test_searches_give_minimax_whatever_the_table_holds(
    board: OthelloBoard, depth: int, algorithm: str
) -> None:
    value = minimax(board, depth)
    move = first_best(board, depth, value)
    for table in (HashTable(1 << 12), SHARED[board.size]):
        search = searched(board, depth, table, algorithm)
        assert (search.value, search.best_move) == (value, move)


@given(boards, st.integers(1, 3), st.integers(-300, 300), st.integers(1, 200), algorithms)
@settings(max_examples=60)
def test_windows_prove_what_fail_soft_promises(
    board: OthelloBoard, depth: int, below: int, width: int, algorithm: str
) -> None:
    true = minimax(board, depth)
    alpha = max(-6400, min(6399, true - below))
    beta = min(6400, alpha + width)
    search = DepthSearch(
        board, depth, alpha, beta, table=SHARED[board.size],
        evaluation=evaluation(board.size), algorithm=algorithm,
    )  # fmt: skip
    search.run()
    assert search.value is not None
    if search.value <= alpha:
        assert true <= search.value
    elif search.value >= beta:
        assert true >= search.value
    else:
        assert search.value == true
    for move, (lower, upper, _) in search.move_bounds.items():
        assert lower <= -minimax(board.play(move), depth - 1) <= upper


@pytest.mark.slow
@given(boards, st.integers(4, 7))
@settings(max_examples=25)
def test_deeper_searches_agree_with_each_other(board: OthelloBoard, depth: int) -> None:
    answers = {
        (search.value, search.best_move)
        for search in (
            searched(board, depth, HashTable(1 << 12), "pvs"),
            searched(board, depth, HashTable(1 << 20), "mtdf"),
            searched(board, depth, SHARED[board.size], "pvs"),
        )
    }
    assert len(answers) == 1


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(0, 7))
@settings(max_examples=20)
def test_depth_of_the_empty_squares_gives_the_exact_score(seed: int, empties: int) -> None:
    board = played(seed, empties)
    search = searched(board, board.empties, SHARED[8], "pvs")
    plain = searched(board, 20, HashTable(1 << 12), "mtdf")
    assert search.value == plain.value
    assert search.value is not None
    assert search.value % 100 == 0


@given(st.integers(0, 10**6), st.integers(0, 9), algorithms)
@settings(max_examples=30)
def test_fast_searches_to_the_end_are_exact(seed: int, empties: int, algorithm: str) -> None:
    board = played(seed, empties)
    searches = [
        DepthSearch(
            board, board.empties, table=HashTable(1 << 14), evaluation=evaluation(8),
            algorithm=algorithm, mode=mode, first_depth=board.empties,
        )
        for mode in MODES
    ]  # fmt: skip
    assert all(search.run() for search in searches)
    assert searches[0].value == searches[1].value


@pytest.mark.slow
def test_fast_searches_visit_less_and_mostly_agree() -> None:
    nodes, agreed = dict.fromkeys(MODES, 0), 0
    for board in running(36, 12):
        moves = set()
        for mode in MODES:
            search = DepthSearch(board, 8, mode=mode, table=HashTable(1 << 20))
            search.run()
            nodes[mode] += search.nodes
            moves.add(search.best_move)
            assert search.best_move in board.moves()
        agreed += len(moves) == 1
    assert nodes["fast"] < 0.6 * nodes["reproducible"]
    assert agreed >= 8
