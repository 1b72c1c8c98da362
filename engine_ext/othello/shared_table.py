"""Othello's tables of this process: one for each engine, kind of value and size of board.

This module sets their size; see engine_ext/search/shared_table.py for their exchange of entries.
"""

from __future__ import annotations

from engine_ext.othello.parts import TableName, entries_text
from engine_ext.othello.table import HashTable
from engine_ext.search.shared_table import SharedTable, SharedTables

TABLE_BYTES = 1 << 25
"""All that FFO #45 stores.  Memory is taken, and cleared, as a table is written to, everywhere in
it: with 128 MB at once two analysers take a tenth longer for FFO #43-#46."""

TABLE_BYTES_MAX = 1 << 27
"""Largest size of a table: a lent machine needs the rest of its memory."""

SMALL_TABLE_BYTES = 1 << 22
"""For boards of 4 x 4 and 6 x 6."""

BoardTable = SharedTable[TableName, HashTable]
"""A shared table of Othello boards."""


def board_table(name: TableName, table: HashTable, byte_count_max: int = 0) -> BoardTable:
    """Return a shared table of its own, which `TABLES` does not know."""
    return SharedTable(name, table, entries_text, byte_count_max)


def _begin(name: TableName, begun: HashTable | None) -> BoardTable:
    is_large = name.size == 8
    table = HashTable(TABLE_BYTES if is_large else SMALL_TABLE_BYTES) if begun is None else begun
    return board_table(name, table, TABLE_BYTES_MAX if is_large else 0)


TABLES = SharedTables(_begin)
"""One for each name."""


def shared_table(name: TableName, begun: HashTable | None = None) -> BoardTable:
    """Return the process's table of a name; see SharedTables.table."""
    return TABLES.table(name, begun)
