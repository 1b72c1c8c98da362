"""The endgame search, whole and in steps, against trying everything and against FFO."""

import random
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard, available_kernels, force_kernel
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.ffo import ROWS, SMALL, Row
from tests.engine_ext.othello.positions import played, running
from tests.engine_ext.othello.reference_othello import grid, value

POLL_GAP_MAX = 1024
SMALL_TABLE = 1 << 16


@pytest.fixture
def any_kernel() -> Iterator[None]:
    """Give the best kernel back after a test that forces others."""
    yield
    force_kernel(available_kernels()[0])


def run(board: OthelloBoard, alpha: int = -64, beta: int = 64, **rest: Any) -> Solver:
    solver = Solver(board, alpha, beta, **rest)
    assert solver.run()
    return solver


def outcome(solver: Solver) -> tuple[object, ...]:
    return solver.score, solver.best_move, solver.nodes, solver.move_bounds


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


@pytest.mark.slow
@pytest.mark.timeout(120)
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
@pytest.mark.parametrize("seed", range(4))
def test_steps_change_nothing(seed: int) -> None:
    choose = random.Random(seed)
    evaluation = load_patterns() if seed % 2 else None
    for row in SMALL[seed * 5 : seed * 5 + 5]:
        straight = run(row.board, table=HashTable(SMALL_TABLE), evaluation=evaluation)
        stepped = Solver(row.board, table=HashTable(SMALL_TABLE), evaluation=evaluation)
        while not stepped.is_done:
            before, nodes = stepped.nodes, choose.choice([1, 10, 1000, 5000, 50_000])
            is_done = stepped.step(nodes)
            assert is_done == stepped.is_done
            assert stepped.nodes - before <= nodes + POLL_GAP_MAX
            assert is_done or stepped.nodes - before >= nodes
        assert outcome(stepped) == outcome(straight)


@pytest.mark.slow
def test_many_searches_go_on_in_turns_and_from_any_thread() -> None:
    boards = [row.board for row in SMALL[:8]]
    straight = [outcome(run(board)) for board in boards]
    solvers = [Solver(board, table=HashTable(1 << 26)) for board in boards]
    while not all(solver.is_done for solver in solvers):
        for solver in solvers:
            thread = threading.Thread(target=solver.step, args=(3000,))
            thread.start()
            thread.join()
    assert [outcome(solver) for solver in solvers] == straight


def test_a_search_can_be_left_for_good_at_any_point() -> None:
    board = SMALL[7].board
    solver = Solver(board)
    for nodes in range(1, 40):
        solver.step(nodes * 100)
        solver.begin(board)
        assert (solver.nodes, solver.score, solver.best_move) == (0, None, None)
    Solver(board).step(5000)  # and forgotten in the middle
    assert solver.run()
    assert solver.score == SMALL[7].score


@pytest.mark.slow
def test_a_shared_table_changes_no_score() -> None:
    table = HashTable(SMALL_TABLE)
    for row in [*SMALL[:10], *SMALL[:10]]:
        assert run(row.board, table=table).score == row.score
    small = HashTable(4096)
    assert all(run(row.board, table=small).score == row.score for row in SMALL[:10])


@pytest.mark.slow
def test_threads_share_a_table() -> None:
    table = HashTable(SMALL_TABLE)
    rows = [row for row in SMALL if row.board.empties == 16]
    solvers = [Solver(row.board, table=table) for row in rows for _ in range(2)]
    threads = [threading.Thread(target=solver.run) for solver in solvers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [solver.score for solver in solvers] == [row.score for row in rows for _ in range(2)]


def test_a_stopped_search_stays_where_it_is() -> None:
    control = RunControl()
    board = ROWS["FFO45"].board
    solver = Solver(board, table=HashTable(SMALL_TABLE), control=control)
    searcher = threading.Thread(target=solver.run)
    searcher.start()
    while control.steps == 0:  # only goes on if the search has released the GIL
        pass
    with pytest.raises(RuntimeError, match="a thread is in this search already"):
        solver.step(1)
    control.stop()
    searcher.join(10)
    assert not searcher.is_alive()
    assert not solver.is_done
    assert control.steps == solver.nodes
    assert not solver.step(1000)
    assert control.steps == solver.nodes
    assert solver.score is None


def test_a_paused_search_waits_and_goes_on() -> None:
    control = RunControl()
    row = SMALL[0]
    control.pause()
    solver = Solver(row.board, control=control)
    searcher = threading.Thread(target=solver.run)
    searcher.start()
    assert (solver.nodes, control.steps) == (0, 0)
    control.resume()
    searcher.join(10)
    assert solver.score == row.score
    assert control.steps == solver.nodes == run(row.board).nodes


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


@pytest.mark.parametrize("window", [(0, 0), (1, -1), (-65, 0), (0, 65)])
def test_impossible_windows_are_refused(window: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="-64 <= alpha < beta <= 64"):
        Solver(OthelloBoard.start(), *window)


def test_other_mistakes_are_named() -> None:
    with pytest.raises(TypeError, match="of a kind"):
        Solver(OthelloBoard.start(), evaluation=Evaluation())
    with pytest.raises(ValueError, match="1 node or more, not 0"):
        Solver(OthelloBoard.start()).step(0)


def probable(board: OthelloBoard, alpha: int = -1, beta: int = 1, **rest: Any) -> Solver:
    return run(
        board, alpha, beta, table=HashTable(SMALL_TABLE), evaluation=load_patterns(),
        judge_table=HashTable(SMALL_TABLE), **rest,
    )  # fmt: skip


def test_probable_scores_of_short_ends_are_exact() -> None:
    for board in running(13, 12):
        assert probable(board, -64, 64).score == run(board).score


@pytest.mark.slow
def test_probable_winners_mostly_are_winners_and_found_sooner() -> None:
    agreed, nodes, judged_nodes = 0, 0, 0
    boards = running(18, 40)
    for board in boards:
        exact = run(board, -1, 1, table=HashTable(SMALL_TABLE), evaluation=load_patterns())
        judged = probable(board)
        assert exact.score is not None
        assert judged.score is not None
        agreed += (exact.score > 0) == (judged.score > 0)
        nodes, judged_nodes = nodes + exact.nodes, judged_nodes + judged.nodes
    assert agreed >= 0.9 * len(boards)
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


def test_evaluation_that_counts_no_discs_cannot_judge() -> None:
    with pytest.raises(ValueError, match="counts 100 for a disc, not 0"):
        Solver(OthelloBoard.start(), judge_table=HashTable(SMALL_TABLE))
