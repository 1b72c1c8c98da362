"""Tables keep what is proved, and the shared ones tell entries of each engine apart."""

import random
import struct
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import PartKind, TableName, read_entries
from engine_ext.othello.shared_table import (
    SMALL_TABLE_BYTES,
    TABLE_BYTES,
    TABLES,
    BoardTable,
    board_table,
    shared_table,
)
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from engine_ext.search.part_text import Entry
from engine_ext.search.table import BYTES_MAX, BYTES_MIN, JOURNAL_MAX
from tests.engine_ext.othello.positions import boards, played, running

START = OthelloBoard.start()

stores = st.lists(
    st.tuples(
        boards(), st.integers(0, 60), st.integers(-64, 64), st.integers(-64, 64), st.integers(1, 9)
    ),
    max_size=40,
)


@given(stores)
@pytest.mark.when_changed
def test_what_is_found_was_stored_of_this_position_at_this_depth(
    stored: list[tuple[OthelloBoard, int, int, int, int]],
) -> None:
    table = HashTable(BYTES_MIN)
    facts: dict[tuple[int, int, int], tuple[int, int]] = {}
    for board, depth, one, two, work in stored:
        key = board.player, board.opponent, depth
        lower, upper = facts.get(key, (-64, 64))
        facts[key] = max(lower, min(one, two)), min(upper, max(one, two))
        table.store(board, depth, min(one, two), max(one, two), work)
        assert table.probe(board, depth) is not None
    for board, depth, *_ in stored:
        found = table.probe(board, depth)
        # An entry that was lost in between and begun anew knows less, never more.
        if found is not None:
            lower, upper = facts[board.player, board.opponent, depth]
            assert found[0] <= lower
            assert found[1] >= upper


def test_an_entry_counts_for_its_depth_only() -> None:
    table = HashTable(BYTES_MIN)
    table.store(START, 8, -2, 2)
    assert table.probe(START, 8) == (-2, 2)
    assert table.probe(START, 7) is None
    assert table.probe(START, 9) is None


def test_bounds_narrow() -> None:
    table = HashTable(BYTES_MIN)
    for lower, upper in [(-64, 10), (-4, 64), (-64, 20)]:
        table.store(START, 8, lower, upper)
    assert table.probe(START, 8) == (-4, 10)


def test_dear_entries_stay_until_another_search() -> None:
    table = HashTable(BYTES_MIN)
    crowd = [played(seed, 20) for seed in range(400)]
    table.store(START, 60, 0, 0, 10**9)
    for board in crowd:
        table.store(board, 20, 0, 0, 1)
    assert table.probe(START, 60) == (0, 0)
    table.begin_search()
    assert table.probe(START, 60) == (0, 0)
    for board in crowd:
        table.store(board, 20, 0, 0, 1)
    assert table.probe(START, 60) is None


def test_clear_forgets() -> None:
    table = HashTable()
    table.store(START, 60, 0, 0)
    table.clear()
    assert table.probe(START, 60) is None


def test_memory_is_what_was_asked_for_at_most() -> None:
    assert HashTable(BYTES_MIN).byte_count == BYTES_MIN
    assert HashTable(3 * BYTES_MIN - 1).byte_count == 2 * BYTES_MIN
    for wrong in (0, -1, BYTES_MIN - 1, BYTES_MAX + 1):
        with pytest.raises(ValueError, match=f"not {wrong}"):
            HashTable(wrong)


@given(stores)
def test_news_taught_to_another_table_are_the_same_facts(
    stored: list[tuple[OthelloBoard, int, int, int, int]],
) -> None:
    table, other = HashTable(1 << 16), HashTable(1 << 16)
    assert table.news(20) == []
    for board, depth, one, two, work in stored:  # facts do not contradict: each value is 0
        table.store(board, depth, -abs(one), abs(two), work)
    news = table.news(20)
    assert all(depth >= 20 for _, depth, _ in news)
    assert table.news(20) == []
    other.news(0)
    other.learn(news)
    assert other.news(0) == []
    for board, depth, *_ in stored:
        assert other.probe(board, depth) == (table.probe(board, depth) if depth >= 20 else None)


def test_what_is_no_entry_is_not_learned() -> None:
    table = HashTable(BYTES_MIN)
    for key, content in [(b"", b""), (bytes(17), bytes(13 - 1)), (b"\xff" * 17, bytes(13))]:
        with pytest.raises(ValueError, match="an entry"):
            table.learn([(key, 0, content)])


def test_news_that_nobody_fetches_are_bounded() -> None:
    table = HashTable(1 << 21)
    table.news(0)
    for player in range(JOURNAL_MAX + 100):
        table.store(OthelloBoard(player << 1, 1), 30, 0, 0)
    assert JOURNAL_MAX // 2 < len(table.news(0)) <= JOURNAL_MAX


@given(stores, st.integers(1, 5))
def test_grown_table_has_what_the_latest_search_stored(
    stored: list[tuple[OthelloBoard, int, int, int, int]], doublings: int
) -> None:
    table = HashTable(BYTES_MIN)
    table.store(START, 60, 1, 1)
    table.begin_search()
    for board, depth, one, two, work in stored:
        table.store(board, depth + 1, min(one, two), max(one, two), work)
    grown = table.grown(BYTES_MIN << doublings)
    assert grown.byte_count == BYTES_MIN << doublings
    for board, depth, *_ in stored:
        assert grown.probe(board, depth + 1) == table.probe(board, depth + 1)
    if all(board != START for board, *_ in stored):
        assert grown.probe(START, 60) is None
    assert (grown.fill > 0.0) == (table.fill > 0.0) == bool(stored)


def test_table_grows_only_to_more() -> None:
    for wrong in (BYTES_MIN, BYTES_MAX + 1):
        with pytest.raises(ValueError, match=f"not {wrong}"):
            HashTable(BYTES_MIN).grown(wrong)


def test_fill_is_the_share_of_slots_in_use() -> None:
    table = HashTable(1 << 14)  # 512 slots
    assert table.fill == 0.0
    for seed in range(100):
        table.store(played(seed, 30), 30, 0, 0)
    assert 0.15 < table.fill < 0.2
    table.begin_search()
    assert table.fill == 0.0


def test_discs_of_both_sides_on_a_square_are_no_key() -> None:
    with pytest.raises(ValueError, match="no position"):
        HashTable(BYTES_MIN).store_key(3, 1, 8, 0, 0)


NAME = TableName("0123456789abcdef")


class Watcher:
    """Somebody who wants news."""


def news_of(shared: BoardTable) -> list[Entry]:
    found = []
    for text in shared.news():
        name, entries = read_entries(text)
        assert name == shared.name
        found += entries
    return found


def test_each_kind_of_table_is_there_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "by_name", {})
    names = [TableName(NAME.engine, kind, size) for kind in PartKind for size in (6, 8)]
    found: list[BoardTable] = []
    asking = [
        threading.Thread(target=lambda name=name: found.append(shared_table(name)))
        for name in names * 4
    ]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert {id(each) for each in found} == {id(shared_table(name)) for name in names}
    assert len({id(each) for each in found}) == len(names)
    sizes = {each.name.size: each.table.byte_count for each in found}
    assert sizes == {6: SMALL_TABLE_BYTES, 8: TABLE_BYTES}


@pytest.mark.slow
def test_threads_that_share_a_tiny_table_find_and_tell_the_truth() -> None:
    shared, watcher = board_table(NAME, HashTable(1 << 12)), Watcher()
    shared.watch(watcher, 0)
    boards = running(16, 6)
    scores = {board: solve(board).score for board in boards}
    wrong: list[tuple[str, int, int]] = []
    entries: list[list[Entry]] = [[] for _ in range(4)]

    def search(number: int) -> None:
        rng = random.Random(number)
        for _ in range(60):
            board = rng.choice(boards)
            alpha = rng.randrange(-64, 64)
            solver = Solver(board, alpha, alpha + 1, table=shared.table)
            while not solver.step(20_000):
                entries[number] += news_of(shared)
            assert solver.score is not None
            is_true = (
                scores[board] <= solver.score <= alpha or scores[board] >= solver.score > alpha
            )
            if not is_true:
                wrong.append((board.to_text(), alpha, solver.score))

    threads = [threading.Thread(target=search, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    known = [entry for each in entries for entry in each]
    assert len(known) > 100
    bounds: dict[bytes, tuple[int, int]] = {}
    for key, _, content in known:
        lower, upper = struct.unpack_from("<hh", content)
        low, high = bounds.get(key, (-64, 64))
        bounds[key] = max(lower, low), min(upper, high)
    for key, (lower, upper) in random.Random(0).sample(sorted(bounds.items()), 50):
        player, opponent, _ = struct.unpack("<QQB", key)
        assert lower <= solve(OthelloBoard(player, opponent)).score <= upper
