"""Table entries that an analyser's table has, as far as is remembered.

Its workers share the table: entries that one of them has sent or got need not be sent to another.
"""

from dataclasses import dataclass, field

from master.search.events import TableEntry

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
