import gc
import random
import struct
import threading
from collections.abc import Iterator
from itertools import count

import pytest

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
from engine_ext.search.shared_table import NEWS_MAX
from tests.engine_ext.othello.positions import played, running

NAME = TableName("0123456789abcdef")


class Watcher:
    """Somebody who wants news."""


def told(shared: BoardTable) -> list[Entry]:
    found = []
    for text in shared.news():
        name, entries = read_entries(text)
        assert name == shared.name
        found += entries
    return found


def store(shared: BoardTable, empties: int, seeds: Iterator[int], number: int = 1) -> None:
    """Store entries of different boards."""
    for _ in range(number):
        board = played(next(seeds), empties)
        shared.table.store(board, board.empties, -64, 64)


def test_nothing_is_told_while_nobody_watches() -> None:
    shared, seeds = board_table(NAME, HashTable(1 << 16)), count()
    store(shared, 20, seeds)
    assert told(shared) == []
    watcher = Watcher()
    shared.watch(watcher, 0)
    assert told(shared) == []
    store(shared, 20, seeds)
    assert len(told(shared)) == 1
    shared.unwatch(watcher)
    shared.unwatch(watcher)
    shared.news()
    store(shared, 20, seeds)
    assert told(shared) == []


def test_least_depth_that_anybody_wants_counts_while_he_lives() -> None:
    shared, seeds = board_table(NAME, HashTable(1 << 16)), count()
    one, other = Watcher(), Watcher()
    shared.watch(one, 20)
    shared.watch(other, 10)
    store(shared, 9, seeds)
    store(shared, 15, seeds)
    store(shared, 25, seeds)
    assert [depth for _, depth, _ in told(shared)] == [25, 15]
    del other
    gc.collect()
    shared.news()
    store(shared, 15, seeds)
    store(shared, 25, seeds)
    assert [depth for _, depth, _ in told(shared)] == [25]


def test_entries_that_came_before_somebody_else_watched_are_not_lost() -> None:
    shared, seeds = board_table(NAME, HashTable(1 << 16)), count()
    one, other = Watcher(), Watcher()
    shared.watch(one, 10)
    store(shared, 15, seeds)
    shared.watch(other, 20)
    assert len(told(shared)) == 1


def test_of_many_entries_the_deepest_are_told() -> None:
    shared, seeds, watcher = board_table(NAME, HashTable(1 << 22)), count(), Watcher()
    shared.watch(watcher, 0)
    for _ in range(NEWS_MAX):
        store(shared, 12, seeds)
        store(shared, 55, seeds)
    found = told(shared)
    assert len(found) == NEWS_MAX
    assert [depth for _, depth, _ in found] == sorted((d for _, d, _ in found), reverse=True)
    assert told(shared) == []


def test_what_is_learned_is_found_and_no_news() -> None:
    shared, other, watcher = (
        board_table(NAME, HashTable(1 << 16)),
        board_table(NAME, HashTable(1 << 16)),
        Watcher(),
    )
    for each in (shared, other):
        each.watch(watcher, 0)
    store(shared, 20, count())
    entries = told(shared)
    other.learn(entries)
    assert told(other) == []
    board = played(0, 20)
    assert other.table.probe(board, 20) == shared.table.probe(board, 20)


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
                entries[number] += told(shared)
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


def test_full_table_grows_and_keeps_what_it_has() -> None:
    shared, watcher, seeds = board_table(NAME, HashTable(1 << 12), 1 << 14), Watcher(), count()
    shared.watch(watcher, 0)
    shared.make_room()
    assert shared.table.byte_count == 1 << 12
    store(shared, 20, seeds, 100)
    before = shared.table
    held = [played(seed, 20) for seed in range(100)]
    held = [board for board in held if before.probe(board, board.empties)]
    shared.make_room()
    assert shared.table.byte_count == 1 << 14
    assert len(held) > 60
    assert all(shared.table.probe(board, board.empties) == (-64, 64) for board in held)
    assert len(told(shared)) == len(held)  # what was stored before is told as ever
    store(shared, 20, seeds, 3)
    assert len(told(shared)) == 3
    store(shared, 20, seeds, 1000)
    shared.make_room()
    assert shared.table.byte_count == 1 << 14


def test_entries_of_earlier_searches_do_not_make_a_table_grow() -> None:
    shared, seeds = board_table(NAME, HashTable(1 << 12), 1 << 14), count()
    store(shared, 20, seeds, 1000)
    shared.table.begin_search()
    shared.make_room()
    assert shared.table.byte_count == 1 << 12


class FullTable:
    """A full table on a machine without memory for a larger one."""

    byte_count, fill = 1 << 12, 1.0
    asked = 0

    def grown(self, byte_count: int) -> HashTable:
        self.asked += 1
        raise MemoryError


def test_table_without_memory_to_grow_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    shared, full = board_table(NAME, HashTable(1 << 12), 1 << 14), FullTable()
    monkeypatch.setattr(shared, "table", full)
    shared.make_room()
    shared.make_room()
    assert full.asked == 1
