import random
import struct
import threading

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
from tests.engine_ext.othello.positions import running

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
