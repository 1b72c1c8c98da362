"""The incidents of each analyser: how many of each kind, and the latest ones."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field

from master.contract.commands import IncidentKind
from master.contract.views import PastIncident

INCIDENTS_MAX = 8
"""The latest of one analyser that are shown: as many as a person reads."""

NAMES_MAX = 1_000
"""Analysers that are remembered, the latest: a fleet has fewer, names of strangers may be many."""

TEXT_CHARACTERS_MAX = 300
"""Of one incident; the text of two analysers on a long question is longer than people read."""


@dataclass
class _Page:
    counts: Counter[str] = field(default_factory=Counter)
    latest: deque[PastIncident] = field(default_factory=lambda: deque(maxlen=INCIDENTS_MAX))


class IncidentBook:
    """Remembers incidents of analysers by their names, as sessions come and go."""

    def __init__(self) -> None:
        """Start empty."""
        self._pages: dict[str, _Page] = {}

    def record(self, name: str, kind: IncidentKind, text: str, at: str) -> None:
        """Note an incident of the analyser of a name, and when it was."""
        page = self._pages.pop(name, None) or _Page()
        self._pages[name] = page  # behind all others
        if len(self._pages) > NAMES_MAX:
            del self._pages[next(iter(self._pages))]
        line = text if len(text) <= TEXT_CHARACTERS_MAX else f"{text[: TEXT_CHARACTERS_MAX - 1]}…"
        page.counts[kind.value] += 1
        page.latest.append(PastIncident(at, kind.value, line))

    def counts(self, name: str) -> tuple[tuple[str, int], ...]:
        """Return an analyser's incidents by the word of their kind: how many of each."""
        page = self._pages.get(name)
        return () if page is None else tuple(sorted(page.counts.items()))

    def latest(self, name: str) -> tuple[PastIncident, ...]:
        """Return an analyser's last incidents, the oldest first."""
        page = self._pages.get(name)
        return () if page is None else tuple(page.latest)
