"""Nim, the toy game of these tests: who takes the last stone wins, by 1.

A position is its heaps; a value is seen by the side to move.
"""

from __future__ import annotations

from engine_ext.search.part_search import BoundsByMove, PartSearch
from engine_ext.search.part_text import Entry, PartForm, PartWord, QuestionWords, TableWords
from engine_ext.search.shared_table import SharedTable
from engine_ext.search.table import KeyedTable

Heaps = tuple[int, ...]

VALUE_MAX = 1
ENTRY_BYTES = 31
FORM = PartForm("nim", ("solve",), PartWord("heaps", "[0-9](?:,[0-9]){0,7}"), PartWord("rules",
"[a-z]+"),
                ENTRY_BYTES)  # fmt: skip


def moves(heaps: Heaps) -> tuple[int, ...]:
    """Return the moves by number: 16 times the heap, plus the stones that are left there."""
    return tuple(16 * i + left for i, heap in enumerate(heaps) for left in range(heap))


def played(heaps: Heaps, move: int) -> Heaps:
    return tuple(move % 16 if i == move // 16 else heap for i, heap in enumerate(heaps))


def value(heaps: Heaps) -> int:
    """Return the value by minimax; the side to move of a finished game has lost."""
    if not any(heaps):
        return -1
    return max(-value(played(heaps, move)) for move in moves(heaps))


def question_text(engine: str, heaps: Heaps, window: tuple[int, int]) -> str:
    words = ",".join(map(str, heaps))
    return FORM.question_text(QuestionWords(engine, words, "solve", sum(heaps), *window))


def key(heaps: Heaps) -> tuple[int, int]:
    """Return the position as 128 bits."""
    return sum(heap << 4 * i for i, heap in enumerate(heaps)), len(heaps)


def search(heaps: Heaps, table: KeyedTable) -> tuple[int, int]:
    """Return the value, by the table where it knows it, and nodes; keep what is found."""
    depth = sum(heaps) + 1
    known = table.probe_key(*key(heaps), depth)
    if known is not None:
        return known[0], 1
    found = {move: search(played(heaps, move), table) for move in moves(heaps)}
    best = min(found, key=lambda move: found[move][0], default=None)
    value = -1 if best is None else -found[best][0]
    table.store_key(*key(heaps), depth, value, value, best)
    return value, 1 + sum(nodes for _, nodes in found.values())


class MoveByMove:
    """A search whose every step is a whole move of the root."""

    def __init__(self, heaps: Heaps, table: KeyedTable) -> None:
        self.known: BoundsByMove = {}
        self.nodes = 0
        self._heaps, self._table = heaps, table

    def step(self, nodes: int) -> bool:
        """Search the next move, however few nodes are asked for."""
        if not self.is_done:
            move = moves(self._heaps)[len(self.known)]
            value, count = search(played(self._heaps, move), self._table)
            self.known[str(move)] = (-value, -value, count)
            self.nodes += count
        return self.is_done

    @property
    def is_done(self) -> bool:
        return len(self.known) == len(moves(self._heaps))

    @property
    def best_move(self) -> str | None:
        return max(self.known, key=lambda move: self.known[move][0], default=None)


class NimPart(PartSearch):
    """One part, searched move by move."""

    def __init__(self, heaps: Heaps, window: tuple[int, int], table: KeyedTable) -> None:
        self._nim = MoveByMove(heaps, table)
        super().__init__(VALUE_MAX, self._nim)
        self._enter(tuple(str(move) for move in moves(heaps)), *window)

    def _value(self) -> int | None:
        found = [known[0] for known in self._nim.known.values()]
        return max(found, default=-VALUE_MAX) if self.is_done else None

    def _known(self) -> BoundsByMove:
        if self.is_done:
            return self._nim.known
        nothing = {str(move): (-VALUE_MAX, VALUE_MAX, 0) for move in moves(self._nim._heaps)}
        return nothing | self._nim.known


def entries_texts(table: TableWords, entries: list[Entry]) -> list[str]:
    return FORM.entries_texts(table, entries)


NimTable = SharedTable[TableWords, KeyedTable]


def shared(name: TableWords, begun: KeyedTable | None = None) -> NimTable:
    return SharedTable(name, KeyedTable(1 << 16) if begun is None else begun, entries_texts)
