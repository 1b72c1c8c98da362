"""A running search of a part, and the table entries that it sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine_ext.search.part_search import PartSearch
from engine_ext.search.shared_table import SharedTable


class RunningPart:
    """One part being searched; see front.SearchPart.

    Args:
        search: begun, with the shared table.
        shared: the table of the news.
        news_depth: least depth of entries that are sent; -1: none are.
        when_ended: called once the search is over and must not go on.
    """

    def __init__(
        self,
        search: PartSearch,
        shared: SharedTable[Any, Any],
        news_depth: int = -1,
        when_ended: Callable[[], None] | None = None,
    ) -> None:
        self._search = search
        self._shared = shared
        self._is_announced = news_depth >= 0
        self._when_ended = when_ended
        if self._is_announced:
            shared.watch(self, news_depth)

    def step(self, nodes: int) -> bool:
        """Search on; see front.SearchPart."""
        self._search.step(nodes)
        return self._search.is_done

    def news(self) -> list[str]:
        """Return new entries as texts; see front.SearchPart."""
        return self._shared.news() if self._is_announced else []

    def end(self) -> str:
        """Return the proved bounds; the search ends, sends no more news and must not go on."""
        self._shared.unwatch(self)
        text = self._search.answer().to_text()
        if self._when_ended is not None:
            self._when_ended()
        return text
