"""Endgame scores, whole or probable, against trying everything, the kernel and FFO."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard, available_kernels, force_kernel
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.ffo import ROWS, SMALL, Row
from tests.engine_ext.othello.positions import played, running
from tests.engine_ext.othello.reference_othello import grid, value
from tests.engine_ext.othello.solved import SMALL_TABLE, outcome, run

LEAF_EMPTIES = 13
"""From here on down the kernel searches alone: see endgame.pyx."""


@pytest.fixture
def any_kernel() -> Iterator[None]:
    """Give the best kernel back after a test that forces others."""
    yield
    force_kernel(available_kernels()[0])


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("empties", [1, 2, 3, 4, 5, 6])
def test_score_is_that_of_trying_everything(size: int, empties: int) -> None:
    table = HashTable(SMALL_TABLE)
    for board in running(empties, 12 if empties < 6 else 4, size):
        exact = value(grid(board.to_text().split()[0]), board.to_move)
        solver = run(board, table=table)
        assert solver.score == exact
        if solver.best_move is not None:
            after = board.play(solver.best_move)
            assert -value(grid(after.to_text().split()[0]), after.to_move) == exact


@pytest.mark.slow
@pytest.mark.parametrize("evaluation", [None, load_patterns()], ids=["mobility", "patterns"])
def test_every_window_is_kept_fail_soft(evaluation: Evaluation | None) -> None:
    for empties in (3, 5, 7, 9, 14):
        for board in running(empties, 3):
            exact = run(board).score
            assert exact is not None
            for alpha in range(-64, 64, 9):
                for beta in (alpha + 1, min(alpha + 7, 64)):
                    score = run(board, alpha, beta, evaluation=evaluation).score
                    assert score is not None
                    if score <= alpha:
                        assert exact <= score
                    elif score >= beta:
                        assert exact >= score
                    else:
                        assert exact == score


@pytest.mark.slow
@pytest.mark.parametrize("evaluation", [None, load_patterns()], ids=["mobility", "patterns"])
@pytest.mark.parametrize("row", SMALL, ids=lambda row: row.name)
def test_score_and_best_move_are_the_published_ones(
    row: Row, evaluation: Evaluation | None
) -> None:
    solver = run(row.board, evaluation=evaluation)
    assert solver.score == row.score
    assert solver.best_move is not None
    assert row.moves[solver.best_move] == row.score
    for move, (lower, upper, _) in solver.move_bounds.items():
        assert lower <= row.moves[move] <= upper


@cache
def exact_moves(board: OthelloBoard) -> dict[str, int]:
    """Return what each move is worth, by solving what it leads to: the kernel does that alone."""
    found = {}
    for move in board.moves():
        score = run(board.play(move), table=HashTable(SMALL_TABLE)).score
        assert score is not None
        found[move] = -score
    return found


@cache
def boards_to_search() -> list[OthelloBoard]:
    """Any boards, and some where the opponent's discs that can never turn bound the score."""
    any_boards = running(LEAF_EMPTIES + 2, 300)
    return any_boards[:6] + sorted(any_boards, key=stable_discs_of_the_opponent)[-6:]


def stable_discs_of_the_opponent(board: OthelloBoard) -> int:
    return OthelloBoard(board.opponent, board.player).stable.bit_count()


evaluations = st.sampled_from([None, load_patterns()])
offsets = st.tuples(st.integers(-20, 20), st.sampled_from([1, 1, 2, 6, 20, 128]))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 11),
    st.lists(offsets, min_size=1, max_size=6),
    evaluations,
)
@pytest.mark.when_changed
def test_searches_that_share_a_table_prove_only_what_is_true(
    number: int, windows: list[tuple[int, int]], evaluation: Evaluation | None
) -> None:
    """Windows are around the score, where they cut and fail on either side."""
    table, board = HashTable(SMALL_TABLE), boards_to_search()[number]
    exact = max(exact_moves(board).values())
    for offset, width in windows:
        alpha = min(max(exact + offset, -64), 63)
        solver = run(board, alpha, min(64, alpha + width), table=table, evaluation=evaluation)
        check(board, solver)


def check(board: OthelloBoard, solver: Solver) -> None:
    """Check that a search proved what its score says, and of each move what is true."""
    worth, score, (alpha, beta) = exact_moves(board), solver.score, solver.window
    exact = max(worth.values())
    assert score is not None
    if score <= alpha:
        assert exact <= score
    elif score >= beta:
        assert exact >= score
    else:
        assert score == exact
        assert solver.best_move is not None
        assert worth[solver.best_move] == exact
    for move, (lower, upper, _) in solver.move_bounds.items():
        assert lower <= worth[move] <= upper


def test_what_a_search_keeps_is_true_and_spares_another_its_work() -> None:
    table, board = HashTable(1 << 20), running(LEAF_EMPTIES + 2, 1)[0]
    first = run(board, table=table)
    again = run(board, table=table)
    assert (again.score, again.best_move) == (first.score, first.best_move)
    assert again.nodes < first.nodes // 2
    for move in board.moves():
        after = board.play(move)
        known = table.probe(after, after.empties)
        assert known is None or known[0] <= -exact_moves(board)[move] <= known[1]


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.when_changed
def test_a_position_of_twenty_five_empty_squares_is_solved() -> None:
    row = ROWS["FFO47"]
    assert run(row.board, table=HashTable(1 << 26)).score == row.score


def test_4x4_is_won_by_the_second_player_11_to_3() -> None:
    assert run(OthelloBoard.start(4)).score == -(11 - 3 + 2)


@pytest.mark.slow
@pytest.mark.usefixtures("any_kernel")
def test_all_kernels_visit_the_same_boards() -> None:
    outcomes = []
    for kernel in available_kernels():
        force_kernel(kernel)
        boards = [row.board for row in SMALL[:12]] + running(16, 2, 6)
        outcomes.append([outcome(run(board)) for board in boards])
    assert all(other == outcomes[0] for other in outcomes)


@pytest.mark.slow
def test_a_shared_table_changes_no_score() -> None:
    table = HashTable(SMALL_TABLE)
    for row in [*SMALL[:10], *SMALL[:10]]:
        assert run(row.board, table=table).score == row.score
    small = HashTable(4096)
    assert all(run(row.board, table=small).score == row.score for row in SMALL[:10])


@given(st.integers(0, 10**6), st.integers(0, 8), st.sampled_from([4, 6, 8]), st.integers(0, 7))
@settings(max_examples=60, deadline=None)
def test_symmetric_boards_have_one_score(seed: int, empties: int, size: int, symmetry: int) -> None:
    board = played(seed, empties, size)
    table = HashTable(SMALL_TABLE)
    assert run(board, table=table).score == run(board.transformed(symmetry), table=table).score


def test_a_finished_game_has_its_final_score() -> None:
    over = OthelloBoard.from_text("X" * 10 + "-" * 54 + "O")
    solver = run(over)
    assert (solver.score, solver.best_move, solver.move_bounds) == (-64, None, {})
    assert solver.nodes == 1


def test_a_pass_is_searched_through() -> None:
    passing = next(board for board in (played(seed, 8) for seed in range(10**4)) if board.must_pass)
    solver = run(passing)
    other = run(passing.passed()).score
    assert other is not None
    assert (solver.score, solver.best_move) == (-other, None)


def probable(board: OthelloBoard, alpha: int = -1, beta: int = 1, **rest: Any) -> Solver:
    return run(
        board, alpha, beta, table=HashTable(SMALL_TABLE), evaluation=load_patterns(),
        judge_table=HashTable(SMALL_TABLE), **rest,
    )  # fmt: skip


def test_probable_scores_of_short_ends_are_exact() -> None:
    for board in running(13, 12):
        assert probable(board, -64, 64).score == run(board).score


def close_boards(count: int) -> list[tuple[OthelloBoard, Solver]]:
    """Boards that are won by few discs, and their exact searches: easily misjudged."""
    boards = (board for board in running(18, 400))
    solved = ((board, run(board, -9, 9, table=HashTable(SMALL_TABLE), evaluation=load_patterns()))
              for board in boards)  # fmt: skip
    close = (both for both in solved if both[1].score is not None and abs(both[1].score) < 9)
    return [*islice(close, count)]


@pytest.mark.slow
@pytest.mark.when_changed
def test_probable_winners_mostly_are_winners_and_found_sooner() -> None:
    agreed, nodes, judged_nodes = 0, 0, 0
    boards = close_boards(16)
    for board, exact in boards:
        judged = probable(board)
        assert exact.score is not None
        assert judged.score is not None
        agreed += (exact.score > 0) == (judged.score > 0)
        nodes, judged_nodes = nodes + exact.nodes, judged_nodes + judged.nodes
    assert agreed >= 0.85 * len(boards)
    assert judged_nodes < 0.5 * nodes


@pytest.mark.slow
def test_probable_scores_are_the_same_in_steps_and_on_every_kernel(any_kernel: None) -> None:
    found = set()
    board = running(19, 1)[0]
    for kernel in available_kernels():
        force_kernel(kernel)
        found.add(str(outcome(probable(board))))
    stepped = Solver(
        board, -1, 1, table=HashTable(SMALL_TABLE), evaluation=load_patterns(),
        judge_table=HashTable(SMALL_TABLE),
    )  # fmt: skip
    while not stepped.step(1000):
        pass
    assert found == {str(outcome(stepped))}
