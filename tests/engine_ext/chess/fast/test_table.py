"""The fast search's table: sizes, what is remembered, what is forgotten."""

import pytest

from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import BYTES_MAX, BYTES_MIN, FastTable
from engine_ext.chess.fen import START, read_fen


def nodes_to(depth: int, table: FastTable) -> int:
    search = FastSearch(read_fen(START), table=table)
    for _ in range(depth):
        assert search.deepen()
    return search.nodes


@pytest.mark.parametrize("size", [BYTES_MIN, BYTES_MIN + 1, 3 << 20])
def test_size_is_the_largest_power_of_two_within(size: int) -> None:
    taken = FastTable(size).byte_count
    assert taken <= size < 2 * taken
    assert taken & (taken - 1) == 0


@pytest.mark.parametrize("size", [0, BYTES_MIN - 1, BYTES_MAX + 1])
def test_size_out_of_range_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"not {size}"):
        FastTable(size)


def test_what_was_searched_is_remembered_until_it_is_cleared() -> None:
    table = FastTable(1 << 20)
    fresh = nodes_to(8, table)
    assert nodes_to(8, table) < fresh
    table.clear()
    assert table.fill == 0
    assert nodes_to(8, table) == fresh


def test_fill_is_of_the_latest_search() -> None:
    table = FastTable(BYTES_MIN)
    assert table.fill == 0
    nodes_to(9, table)
    assert table.fill > 0.9
    table.begin_search()
    assert table.fill == 0
    nodes_to(9, table)
    assert table.fill > 0.9


def test_full_table_costs_nodes_and_no_move() -> None:
    search = FastSearch(read_fen("8/8/8/8/8/3k4/8/3KR3 w - - 0 1"), table=FastTable(BYTES_MIN))
    while search.depth < 12:
        assert search.deepen()
    assert search.lines[0][0] > 300
