"""Searches in threads report what they find, and end when they are told to."""

import queue

import pytest

from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.cli.chess.uci_search import UciSearch
from master.games.chess.uci.commands import Go
from master.games.chess.uci.lost_time import LostTime
from master.games.chess.uci.options import Options
from master.games.chess.uci.session import Wish
from master.games.chess.uci.thinking import Thinking
from tests.master.cli.chess.uci_reports import WAIT_S_MAX, Reports, until_end


def searching(
    go: Go, options: Options | None = None, elapsed_s: float = 0.0
) -> tuple[UciSearch, Reports]:
    reports: Reports = queue.Queue()
    wish = Wish((read_fen(START),), go, options or Options())
    table = FastTable(1 << 20)
    report = lambda *each: reports.put(each)  # noqa: E731
    return UciSearch(
        Thinking(wish, LostTime().begin(wish)), table, lambda: elapsed_s, report
    ), reports


def test_iterations_are_reported_in_order_and_the_last_again() -> None:
    search, reports = searching(Go(depth=4))
    found = until_end(reports)
    assert [each.depth for each in found] == [1, 2, 3, 4, 4]
    assert found[-1] == found[-2]
    assert search.nodes > 0
    assert 0 <= search.fill <= 1


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_all_threads(threads: int) -> None:
    search, reports = searching(Go(), Options(threads=threads))
    assert reports.get(timeout=WAIT_S_MAX)[0].depth == 1
    assert search.current_move is not None
    search.stop()
    last = until_end(reports)[-1]
    assert last.lines[0][1][0] in read_fen(START).moves()
    nodes = search.nodes
    assert search.nodes == nodes


def test_no_iteration_is_begun_when_the_time_is_over() -> None:
    _, reports = searching(Go(clocks_ms=(1_000, None)), elapsed_s=1.0)
    assert [each.depth for each in until_end(reports)] == [1, 1]


def test_lines_and_moves_are_those_that_were_asked_for() -> None:
    _, reports = searching(Go(depth=3, moves=("a2a3", "e2e4")), Options(line_count=2))
    lines = until_end(reports)[-1].lines
    assert {line[0] for _, line in lines} == {"a2a3", "e2e4"}
    assert lines[0][0] >= lines[1][0]


def test_nodes_are_bounded_and_shared_among_threads() -> None:
    _, alone = searching(Go(nodes=5_000))
    depth = until_end(alone)[-1].depth
    assert depth >= 1
    search, shared = searching(Go(nodes=5_000), Options(threads=2))
    until_end(shared)
    assert search.nodes < 12_000
