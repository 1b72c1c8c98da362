"""Table entries that are passed on from each analyser to all others.

It never waits: entries go out with the next part, in rounds or in batches. Their arrival changes
the time that searches take, and nothing else.
"""

from collections import Counter
from dataclasses import dataclass, field

from master.search.events import TableEntry
from master.search.limits import (
    LOG_MAX,
    NEWS_SHARE,
    START_PLIES,
    STEER_ENTRIES,
    STEER_HOTS,
    Costs,
)
from master.search.searchers import SearchWorker
from master.search.strategies import Sharing, Strategy

ENTRIES_MAX = 1 << 16
"""Entries remembered, 10 MB; to send some twice does no harm."""


@dataclass(slots=True, eq=False)
class KnownEntries:
    """Entries of one table.

    Args:
        contents: by their keys.
    """

    contents: dict[bytes, bytes] = field(default_factory=dict)

    def news_of(self, entries: tuple[TableEntry, ...]) -> tuple[TableEntry, ...]:
        """Return the entries that the table has not; from now on it has."""
        if len(self.contents) > ENTRIES_MAX:
            self.contents.clear()
        news = tuple(one for one in entries if self.contents.get(one[0]) != one[2])
        self.contents.update((key, content) for key, _, content in news)
        return news


ENTRY_COST_MIN = 1e-12
"""The least cost of an entry: entries without any cost are always affordable."""


@dataclass(slots=True, eq=False)
class Log:
    """The newest entries, numbered from the beginning of the search.

    Args:
        strategy: which entries, the depth and the batches.
        root_depth: of the search.
        entries: (analyser that sent it, entry), the oldest first.
        first: number of the oldest one kept.
        news_depth: entries of this depth or more are wanted now; None: none are.
        newest: contents of those kept, by their keys.
    """

    strategy: Strategy
    root_depth: int = 0
    entries: list[tuple[int, TableEntry]] = field(default_factory=list)
    first: int = 0
    news_depth: int | None = None
    newest: dict[bytes, bytes] = field(default_factory=dict)
    _seen: Counter[int] = field(default_factory=Counter)
    _round_at: float = 0.0
    _steered_at: float = 0.0

    def __post_init__(self) -> None:
        self.news_depth = {
            Sharing.NONE: None,
            Sharing.ALL: 0,
            Sharing.FROM_DEPTH: self.strategy.news_depth,
            Sharing.STEERED: max(self.root_depth - START_PLIES, 1),
        }[self.strategy.sharing]

    def add(self, analyser: int, entries: tuple[TableEntry, ...]) -> int:
        """Take news; return how many were new."""
        if self.news_depth is None:
            return 0
        count = 0
        for entry in entries:
            key, _, content = entry
            if self.newest.get(key) != content:
                self.newest[key] = content
                self.entries.append((analyser, entry))
                count += 1
        self._seen.update(depth for _, depth, _ in entries)
        self._forget()
        return count

    def _forget(self) -> None:
        """Keep at most LOG_MAX entries: analysers that have not got the others never get them."""
        surplus = len(self.entries) - LOG_MAX
        if surplus > LOG_MAX // 8:  # not one by one: each removal moves all that are left
            for _, (key, _, content) in self.entries[:surplus]:
                if self.newest.get(key) == content:
                    del self.newest[key]
            del self.entries[:surplus]
            self.first += surplus

    def waiting(self, analyser: SearchWorker) -> int:
        """Return how many entries an analyser has not been sent yet, its own among them."""
        return self.first + len(self.entries) - max(analyser.cursor, self.first)

    def is_batch_due(self, analyser: SearchWorker) -> bool:
        """Tell whether entries are to be sent to an analyser that gets no part now."""
        return 0 < self.strategy.batch <= self.waiting(analyser)

    def begin_round(self, now: float, period: float) -> bool:
        """Begin to send all analysers new entries, if a period has passed since the last round."""
        is_due = now >= self._round_at
        if is_due:
            self._round_at = now + period
        return is_due

    def is_due_with_part(self, analyser: SearchWorker) -> bool:
        """Tell whether entries are to be sent to an analyser that gets a part now."""
        return self.waiting(analyser) >= max(self.strategy.batch, 1)

    def collect_due(self, analyser: SearchWorker) -> tuple[TableEntry, ...]:
        """Return the entries for an analyser, and count them as sent."""
        begin = max(analyser.cursor, self.first) - self.first
        analyser.cursor = self.first + len(self.entries)
        return tuple(entry for source, entry in self.entries[begin:] if source != analyser.number)

    def steer(self, now: float, analysers: int, costs: Costs, hot_age: float) -> None:
        """Choose the depth from which entries are wanted, by their recent costs."""
        span = now - self._steered_at
        total = self._seen.total()
        if self.strategy.sharing is not Sharing.STEERED or self.news_depth is None:
            return
        if total < STEER_ENTRIES and span < STEER_HOTS * hot_age:
            return
        each = max(costs.entry + costs.entry_out * analysers, ENTRY_COST_MIN)
        affordable = NEWS_SHARE * span / each
        self.news_depth = self._depth_affordable(affordable, self.news_depth)
        self._steered_at = now
        self._seen.clear()

    def _depth_affordable(self, affordable: float, depth: int) -> int:
        """Return the least depth whose entries are affordable; one ply less if a quarter is."""
        for each in sorted(self._seen):
            if each >= depth and self._count_from(each) <= affordable:
                # The next ply brings several times as many entries: about four in games.
                is_cheap = each == min(self._seen) and 4 * self._count_from(each) <= affordable
                return max(each - is_cheap, 1)
        return max(depth - 1, 1) if not self._seen else max(self._seen) + 1

    def _count_from(self, depth: int) -> int:
        return sum(count for each, count in self._seen.items() if each >= depth)
