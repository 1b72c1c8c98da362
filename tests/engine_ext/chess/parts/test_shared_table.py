"""Chess's tables of a process: one for each engine."""

import pytest

from engine_ext.chess.parts.part_words import TableName, read_entries
from engine_ext.chess.parts.shared_table import TABLE_BYTES, TABLES
from engine_ext.search.table import KeyedTable
from tests.engine_ext.chess.parts.questions import ENGINE


class Watcher:
    """Somebody who wants news."""


def test_each_engine_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "by_name", {})
    one = TABLES.table(TableName(ENGINE))
    assert TABLES.table(TableName(ENGINE)) is one
    assert TABLES.table(TableName("f" * 16)) is not one
    assert one.table.byte_count == TABLE_BYTES


def test_news_name_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TABLES, "by_name", {})
    begun = KeyedTable(1 << 16)
    shared = TABLES.table(TableName(ENGINE), begun)
    assert shared.table is begun
    watcher = Watcher()
    shared.watch(watcher, 4)
    begun.store_key(1, 2, 5, -8, 8)
    begun.store_key(3, 4, 3, -8, 8)
    (text,) = shared.news()
    name, entries = read_entries(text)
    assert name == TableName(ENGINE)
    assert [depth for _, depth, _ in entries] == [5]
