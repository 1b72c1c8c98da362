"""Endgame searches have the scores of trying everything, in any steps, threads and windows."""

import random
import threading
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard, available_kernels, force_kernel
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.ffo import SuitePosition, ffo_suite, is_suite_name, suite_position
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import (
    WIN_LOSS_DRAW,
    SolvingStoppedError,
    best_line,
    move_scores,
    solve,
)
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
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


POLL_GAP_MAX = 1024


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


@pytest.mark.parametrize("window", [(0, 0), (1, -1), (-65, 0), (0, 65)])
def test_impossible_windows_are_refused(window: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="-64 <= alpha < beta <= 64"):
        Solver(OthelloBoard.start(), *window)


def test_other_mistakes_are_named() -> None:
    with pytest.raises(TypeError, match="of a kind"):
        Solver(OthelloBoard.start(), evaluation=Evaluation())
    with pytest.raises(ValueError, match="1 node or more, not 0"):
        Solver(OthelloBoard.start()).step(0)


def test_evaluation_that_counts_no_discs_cannot_judge() -> None:
    with pytest.raises(ValueError, match="counts 100 for a disc, not 0"):
        Solver(OthelloBoard.start(), judge_table=HashTable(SMALL_TABLE))


EVERY_MOVE = SMALL + [ROWS[f"FFO{number}"] for number in (22, 23, 24, 25, 30, 31, 32, 34, 40)]
"""Rows that take under a second: tests/benchmarks/othello_ffo_moves.py has all of them."""


@pytest.mark.slow
@pytest.mark.parametrize("row", EVERY_MOVE, ids=lambda row: row.name)
@pytest.mark.when_changed
def test_every_move_has_its_published_score(row: Row) -> None:
    scores = move_scores(row.board, evaluation=load_patterns())
    assert scores == row.moves
    assert list(scores.values()) == sorted(row.moves.values(), reverse=True)


@pytest.mark.slow
def test_win_loss_and_draw_are_reported() -> None:
    for row in SMALL[:20]:
        score = solve(row.board, WIN_LOSS_DRAW).score
        assert (score > 0) - (score < 0) == (row.score > 0) - (row.score < 0)


@given(st.integers(0, 10**6), st.integers(0, 11), st.sampled_from([4, 6, 8]))
@settings(max_examples=30, deadline=None)
def test_the_best_line_ends_with_the_score(seed: int, empties: int, size: int) -> None:
    board = played(seed, empties, size)
    table = HashTable(1 << 16)
    score = solve(board, table=table).score
    last = boards_of(best_line(board, score, table=table), board)[-1]
    assert last.is_over
    assert last.final_score == (score if last.to_move == board.to_move else -score)


def test_a_wrong_score_is_reported() -> None:
    row = SMALL[0]
    with pytest.raises(ValueError, match=r"the score of .* is not \+20"):
        best_line(row.board, row.score + 2)


def test_a_stopped_search_has_no_answer() -> None:
    control = RunControl()
    control.stop()
    with pytest.raises(SolvingStoppedError):
        solve(SMALL[0].board, control=control)
    with pytest.raises(SolvingStoppedError):
        move_scores(SMALL[0].board, control=control)


def test_a_finished_game_has_no_line() -> None:
    over = OthelloBoard.from_text("X" * 10 + "-" * 54 + "O")
    assert solve(over).best_move is None
    assert best_line(over, -64) == []
    assert move_scores(over) == {}


SUITE = list(ffo_suite().values())


def test_the_suite_has_all_rows_but_six() -> None:
    numbers = [number for number in range(1, 80) if not 60 <= number <= 65]
    assert [row.name for row in SUITE] == [f"FFO{number:02}" for number in numbers]


@pytest.mark.parametrize("row", SUITE, ids=lambda row: row.name)
def test_each_row_has_a_score_for_every_legal_move_and_the_best_is_its_own(
    row: SuitePosition,
) -> None:
    assert set(row.moves) == set(row.board.moves())
    assert max(row.moves.values()) == row.score


@pytest.mark.parametrize("row", SUITE[:3], ids=lambda row: row.name)
def test_names_are_read_in_any_case_and_without_zeros(row: SuitePosition) -> None:
    for name in (row.name, row.name.lower(), f" ffo{int(row.name[3:])} ", f"FFO-{row.name[3:]}"):
        assert is_suite_name(name)
        assert suite_position(name) is row


@pytest.mark.parametrize("name", ["FFO60", "ffo0", "FFO80", "FFO", "FFO4x", "FFO400"])
def test_a_name_of_no_row_says_which_there_are(name: str) -> None:
    expected = f"there is no {name.upper()}: expected FFO01 to FFO59 or FFO66 to FFO79"
    with pytest.raises(ValueError, match=expected):
        suite_position(name)
