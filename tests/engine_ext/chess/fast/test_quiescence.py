"""Draws, captures and checks at the fast search's leaves, and the table that it remembers."""

import pytest

from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import BYTES_MAX, BYTES_MIN, FastTable
from engine_ext.chess.fen import START, read_fen
from tests.engine_ext.chess.fast.searches import every_line, search


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",  # legal moves are none but one that loses nothing
        "8/8/8/4k3/8/8/8/4KB2 w - - 0 1",  # too few men
        "8/8/8/4k3/8/8/3R4/4K3 w - - 99 80",  # fifty moves
    ],
)
def test_draws_are_worth_nothing(fen: str) -> None:
    board = read_fen(fen)
    if board.move_count:
        assert search(fen, 8).lines[0][0] == 0
    else:
        with pytest.raises(ValueError, match="no move is legal"):
            FastSearch(board)


def test_third_time_is_a_draw() -> None:
    board = read_fen("7k/8/8/8/8/q7/8/6QK w - - 10 40")
    before = []
    for move in ("g1d4", "h8h7", "d4e4", "h7h8", "e4d4", "h8h7", "d4e4", "h7h8"):
        before.append(board)
        board = board.play(move)
    values = {line[0]: value for value, line in every_line(board, before)}
    assert values["e4d4"] == 0  # the third time


def test_captures_are_seen_through_at_the_first_ply() -> None:
    # The pawn on d5 is protected; the one on a5 is not.
    fen = "4k3/8/2p5/p2p4/8/8/8/R2QK3 w - - 0 1"
    found = search(fen, 1, line_count=256)
    values = {line[0]: value for value, line in found.lines}
    assert values["d1d5"] < values["e1e2"] - 400
    assert values["a1a5"] > values["e1e2"] + 50


def test_answers_to_a_check_are_seen_at_the_first_ply() -> None:
    found = search("6k1/5ppp/8/8/8/8/4PPPP/R5K1 w - - 0 1", 1, line_count=256)
    assert found.lines[0][1][0] == "a1a8"
    assert found.lines[0][0] > 29_000


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
