"""One table for all searches of a kind in this process, and what it tells and learns.

A table that learned what others say holds their word and what was proved with it; both are
forgotten together (`forget_table`), so that nobody's word outlives the search it was meant for.

Knows tables, entries and who wants to be told.  Must not know searches.  Every method may be called
from any thread: the interpreter's lock is held in each step that matters, and the table itself
is safe to write to from threads that do not hold it.
"""

from __future__ import annotations

import weakref
from collections import deque

from engine_ext.othello.parts import TableName, entries_text
from engine_ext.othello.table import HashTable
from engine_ext.search.part_text import Entry
from engine_ext.search.table import JOURNAL_MAX

TABLE_BYTES = 1 << 25
"""All that FFO #45 stores.  Memory is taken, and cleared, as a table is written to, everywhere in
it: with 128 MB at once two analysers take a tenth longer for FFO #43-#46."""

TABLE_BYTES_MAX = 1 << 27
"""A table grows up to here.  More is not ours to take on a machine that somebody lends."""

GROWTH = 4
"""Copying takes .02 s, or .3 s where memory has to be cleared for it, once."""

FILL_MAX = 0.5
"""Positions have two slots to choose from: from here on many find both taken."""

SMALL_TABLE_BYTES = 1 << 22
"""For boards of 4 x 4 and 6 x 6."""

NEWS_MAX = 5_000
"""Entries told at a time, the deepest ones: 25 lines, a fifth of what a link may have waiting.

Replication steers by what it is told: a bound that cuts would have it ask for ever more.
"""

NEVER = 256
"""No entry is so deep: nobody wants to be told."""


class SharedTable:
    """A table and its news.

    Each entry is told once, by whoever asks first, if anybody wants entries of its depth; one that
    is stored again while news are fetched may be told twice, or lost.

    Args:
        name: what its entries are.
        byte_count: memory to take at first.
        byte_count_max: memory to take at most.
        table: begun already, by a search of this process.

    Attributes:
        is_told: somebody's word is among what it holds: no more to be trusted than he is.
    """

    def __init__(
        self, name: TableName, byte_count: int, byte_count_max: int = 0,
        table: HashTable | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.table = HashTable(byte_count) if table is None else table
        self.is_told = False
        self._room = [byte_count_max]  # to grow; empty: a thread is at it, or there is no memory
        self._depths: dict[int, int] = {}  # of entries that somebody wants to be told
        self._told: deque[Entry] = deque(maxlen=JOURNAL_MAX)
        self._sweep()

    def make_room(self) -> None:
        """Go on with a larger table if this one is full; searches under way keep the old one."""
        try:
            byte_count_max = self._room.pop()
        except IndexError:
            return
        byte_count = self.table.byte_count * GROWTH
        try:
            if self.table.fill > FILL_MAX and byte_count <= byte_count_max:
                larger = self.table.grown(byte_count)
                self._sweep()
                self.table = larger
                self._sweep()
        except MemoryError:
            return
        self._room.append(byte_count_max)

    def watch(self, watcher: object, depth: int) -> None:
        """Tell entries of at least this depth from now on, while the watcher lives."""
        self._depths[id(watcher)] = depth
        weakref.finalize(watcher, self._depths.pop, id(watcher), None)
        self._sweep()

    def unwatch(self, watcher: object) -> None:
        """Tell entries no more for this watcher's sake."""
        self._depths.pop(id(watcher), None)

    def _sweep(self) -> None:
        """Take the table's news in; from now on it notes those of the least depth wanted."""
        self._told.extend(self.table.news(min(tuple(self._depths.values()), default=NEVER)))

    def news(self) -> list[str]:
        """Return what is new since anybody last asked, as texts."""
        self._sweep()
        entries = []
        while True:
            try:
                entries.append(self._told.popleft())
            except IndexError:  # another thread may have taken the last one
                break
        entries.sort(key=_depth, reverse=True)
        return entries_text(self.name, entries[:NEWS_MAX])

    def tell(self, entries: list[Entry]) -> None:
        """Have entries of the table told that were stored before it was watched."""
        self._told.extend(entries)

    def learn(self, entries: list[Entry]) -> None:
        """Take over entries that `read_entries` has looked through; they are no news."""
        self.is_told = True
        self.table.learn(entries)


def _depth(entry: Entry) -> int:
    return entry[1]


# One for each name; `setdefault` decides between threads that ask at the same time.
_TABLES: dict[TableName, SharedTable] = {}


def shared_tables() -> tuple[SharedTable, ...]:
    """Return all tables that there are."""
    return tuple(_TABLES.values())


def shared_table(name: TableName, begun: HashTable | None = None) -> SharedTable:
    """Return the process's table of a name, made when it is first asked for.

    Args:
        name: which.
        begun: becomes the table, if there is none yet.
    """
    if name not in _TABLES:
        is_large = name.size == 8
        bounds = (TABLE_BYTES, TABLE_BYTES_MAX) if is_large else (SMALL_TABLE_BYTES, 0)
        _TABLES.setdefault(name, SharedTable(name, *bounds, table=begun))
    return _TABLES[name]


def forget_table(shared: SharedTable) -> None:
    """Have the next to ask for a table of this name begin with an empty one."""
    if _TABLES.get(shared.name) is shared:
        _TABLES.pop(shared.name, None)
