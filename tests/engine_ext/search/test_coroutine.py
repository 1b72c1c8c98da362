"""Stacks of their own, by the search that lives on them."""

import gc
import resource
import sys
import threading

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.table import BYTES_MIN
from tests.engine_ext.othello.ffo import SMALL

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
