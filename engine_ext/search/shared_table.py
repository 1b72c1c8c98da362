"""One table for all searches of a kind in this process, and its exchange of entries.

A table can learn entries from other machines.  Then it contains these entries and bounds proved
with them.  `forget_announced` removes both together, so that no received entry is used after the
search that it was sent for.

Every method may be called from any thread: each critical step holds the interpreter's lock, and
the table itself is safe to write to from threads that do not hold it.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from engine_ext.search.part_text import Entry
from engine_ext.search.table import JOURNAL_MAX, KeyedTable

GROWTH = 4
"""One copy takes .02 s, or .3 s if memory has to be cleared for it."""

FILL_MAX = 0.5
"""Positions have two slots to choose from: from here on many find both taken."""

NEWS_MAX = 5_000
"""Entries sent at a time, the deepest ones: 25 lines, a fifth of a link's largest queue.

Replication adapts to the number of entries it receives: a limit that cuts off entries would make
it request more and more.
"""

NEVER = 256
"""Deeper than all entries: no entries are wanted."""


Name = TypeVar("Name", bound=Hashable)
Table = TypeVar("Table", bound=KeyedTable)


class SharedTable(Generic[Name, Table]):
    """A table and its news.

    Each entry is sent once, by the first part that calls `news`, if some part wants entries of its
    depth.  An entry that is stored again during this call may be sent twice, or lost.

    Args:
        name: names the kind of its entries.
        table: empty, or begun already by a search of this process.
        texts: words entries of a name for the wire.
        byte_count_max: memory to take at most.

    Attributes:
        has_received: it contains received entries: trust it no more than their senders.
    """

    def __init__(
        self,
        name: Name,
        table: Table,
        texts: Callable[[Name, list[Entry]], list[str]],
        byte_count_max: int = 0,
    ) -> None:
        self.name = name
        self.table = table
        self.has_received = False
        self._texts = texts
        self._room = [byte_count_max]  # to grow; empty: a thread is at it, or there is no memory
        self._depths: dict[int, int] = {}  # least depth of entries, by the part that wants them
        self._announced: deque[Entry] = deque(maxlen=JOURNAL_MAX)
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
        """Collect entries of at least this depth from now on, until the watcher is deleted."""
        self._depths[id(watcher)] = depth
        weakref.finalize(watcher, self._depths.pop, id(watcher), None)
        self._sweep()

    def unwatch(self, watcher: object) -> None:
        """Stop collecting entries for this watcher."""
        self._depths.pop(id(watcher), None)

    def _sweep(self) -> None:
        """Take the table's news in; from now on it notes those of the least depth wanted."""
        self._announced.extend(self.table.news(min(tuple(self._depths.values()), default=NEVER)))

    def news(self) -> list[str]:
        """Return the entries since the last call, as texts."""
        self._sweep()
        entries = []
        while True:
            try:
                entries.append(self._announced.popleft())
            except IndexError:  # another thread may have taken the last one
                break
        entries.sort(key=_depth, reverse=True)
        return self._texts(self.name, entries[:NEWS_MAX])

    def add_news(self, entries: list[Entry]) -> None:
        """Add entries to the news that were stored before the first watcher."""
        self._announced.extend(entries)

    def learn(self, entries: list[Entry]) -> None:
        """Take over entries that the game has looked through; they are no news."""
        self.has_received = True
        self.table.learn(entries)


def _depth(entry: Entry) -> int:
    return entry[1]


class SharedTables(Generic[Name, Table]):
    """The tables of one game in this process, one for each name."""

    def __init__(self, begin: Callable[[Name, Table | None], SharedTable[Name, Table]]) -> None:
        """Begin without any.

        Args:
            begin: makes the table of a name, or takes the one that is given.
        """
        self._begin = begin
        self.by_name: dict[Name, SharedTable[Name, Table]] = {}

    def table(self, name: Name, begun: Table | None = None) -> SharedTable[Name, Table]:
        """Return the process's table of a name, made when it is first asked for.

        Args:
            name: which.
            begun: becomes the table, if there is none yet.
        """
        if name not in self.by_name:
            # `setdefault` decides between threads that ask at the same time.
            self.by_name.setdefault(name, self._begin(name, begun))
        return self.by_name[name]

    def forget_announced(self) -> None:
        """Clear tables with received entries; entries of other tables are replaced first."""
        for shared in tuple(self.by_name.values()):
            if not shared.has_received:
                shared.table.begin_search()
            elif self.by_name.get(shared.name) is shared:
                self.by_name.pop(shared.name, None)
