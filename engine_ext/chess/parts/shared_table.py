"""Chess's tables of this process: one for each engine.

This module sets their size; see engine_ext/search/shared_table.py for their exchange of entries.
"""

from __future__ import annotations

from engine_ext.chess.parts.part_words import TableName, entries_text
from engine_ext.search.shared_table import SharedTable, SharedTables
from engine_ext.search.table import KeyedTable

TABLE_BYTES = 1 << 25
"""A million entries: a second of a core.  Memory is taken as a table is written to, everywhere in
it."""

TABLE_BYTES_MAX = 1 << 27
"""Largest size of a table: a lent machine needs the rest of its memory."""

ChessTable = SharedTable[TableName, KeyedTable]
"""A shared table of chess positions."""


def _begin(name: TableName, begun: KeyedTable | None) -> ChessTable:
    table = KeyedTable(TABLE_BYTES) if begun is None else begun
    return SharedTable(name, table, entries_text, TABLE_BYTES_MAX)


TABLES = SharedTables(_begin)
"""One for each name."""
