"""Searches in steps, on stacks of their own, and the values that they prove on the way."""

import gc
import resource
import sys
import threading
from collections.abc import Callable

import pytest

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.stepped import STEP_END_MAX, SteppedSearch
from engine_ext.search.table import BYTES_MIN
from tests.engine_ext.othello.ffo import SMALL
from tests.engine_ext.othello.positions import running

Begin = Callable[[OthelloBoard, RunControl], SteppedSearch]

KINDS: dict[str, Begin] = {
    "solver": lambda board, control: Solver(board, table=HashTable(1 << 16), control=control),
    "search": lambda board, control: DepthSearch(
        board, 6, table=HashTable(1 << 16), control=control
    ),
}

kinds = pytest.mark.parametrize("begin", KINDS.values(), ids=KINDS)


@kinds
def test_proved_bounds_only_narrow_within_an_iteration(begin: Begin) -> None:
    for board in running(14, 4):
        search = begin(board, RunControl())
        before = search.move_bounds
        while not search.step(300):
            for move, (lower, upper, _) in search.move_bounds.items():
                assert lower <= upper
                if isinstance(search, Solver):
                    assert before[move][0] <= lower <= upper <= before[move][1]
            before = search.move_bounds
        assert set(search.move_bounds) == set(board.moves())


@kinds
def test_control_counts_each_node_once(begin: Begin) -> None:
    control = RunControl()
    (board,) = running(12, 1)
    search = begin(board, control)
    while not search.step(100):
        assert control.steps == search.nodes
    assert control.steps == search.nodes > 0
    assert search.step(1)
    assert control.steps == search.nodes


@kinds
def test_another_control_goes_on_where_the_last_one_stopped(begin: Begin) -> None:
    (board,) = running(12, 1)
    first, second = RunControl(), RunControl()
    search, other = begin(board, first), begin(board, RunControl())
    search.step(100)
    first.stop()
    assert not search.step(1 << 40)
    search.obey(second)
    assert search.run()
    assert other.run()
    assert search.nodes == other.nodes == first.steps + second.steps
    search.obey(None)


@kinds
def test_a_step_of_more_nodes_than_there_are_is_the_whole_search(begin: Begin) -> None:
    (board,) = running(10, 1)
    search, other = begin(board, RunControl()), begin(board, RunControl())
    assert search.step(STEP_END_MAX * 8)
    assert other.run()
    assert search.nodes == other.nodes


def test_without_a_kind_there_is_nothing_to_search() -> None:
    bare = SteppedSearch()
    assert (bare.step(1), bare.run(), bare.nodes, bare.move_bounds) == (True, True, 0, {})


BOARD = SMALL[0].board


def solver(board: OthelloBoard = BOARD) -> Solver:
    return Solver(board, table=HashTable(BYTES_MIN))


def test_a_body_that_never_yields_ends_with_its_first_resume() -> None:
    assert solver(OthelloBoard.from_text("X" * 10 + "-" * 54 + "O")).step(2)


def test_a_body_goes_on_where_it_was_on_whatever_thread_resumes_it() -> None:
    straight = solver()
    straight.run()
    stepped, resumes = solver(), 0
    while not stepped.is_done:
        threads = [threading.Thread(target=stepped.step, args=(2000,))]
        for thread in threads:
            thread.start()
            thread.join()
        resumes += 1
    assert resumes > 3
    assert (stepped.score, stepped.nodes) == (straight.score, straight.nodes)


@pytest.mark.slow
@pytest.mark.when_changed
def test_a_thousand_are_left_in_the_middle_at_once_and_give_their_memory_back() -> None:
    def leave_many() -> None:
        left = [solver() for _ in range(256)]
        assert not any(each.step(1000) for each in left)
        assert len({each.nodes for each in left}) == 1

    leave_many()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(3):
        leave_many()
    grown_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    if sys.platform == "darwin":  # counts bytes
        grown_kilobytes //= 1024
    assert grown_kilobytes < 256 * 400


def test_the_deepest_search_has_room_on_its_stack() -> None:
    start = solver(OthelloBoard.start())
    assert not start.step(50_000)
