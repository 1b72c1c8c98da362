"""The face of the endgame search: steps, stops, threads and bad arguments."""

import random
import threading

import pytest

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.ffo import ROWS, SMALL
from tests.engine_ext.othello.solved import SMALL_TABLE, outcome, run

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
