"""Refused analysers: by name, and new names from hosts or certificates that often break rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from master.service.analysers.endpoints import Endpoint

K = TypeVar("K")
V = TypeVar("V")

NAMES_MAX = 10_000
"""Names that are remembered, the latest: a fleet has fewer, those of a rule-breaker may be many."""

BREAKERS_MAX = 3
"""Names of one host that broke a rule before its new names are refused: a new version that is
wrong breaks rules on several machines behind one router, each of them once."""

REFUSED_S_MIN = 60.0
"""New names of such a host are refused for so long, and twice as long with each further one."""

REFUSED_S_MAX = 3600.0
"""An hour at most: behind the address there may be an honest machine tomorrow."""


@dataclass
class _Host:
    """A host, or a certificate, some of whose analysers broke a rule."""

    names: dict[str, None] = field(default_factory=dict)
    refused_until: float = 0.0


class Refusals:
    """Remembers analysers that broke a rule, and gives the reasons to refuse them."""

    def __init__(self) -> None:
        """Start with none."""
        self._texts: dict[tuple[str, str], str] = {}
        self._hosts: dict[str, _Host] = {}
        self._served: dict[tuple[str, str], None] = {}

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over (name, host) of those that are refused by name."""
        return iter(self._texts)

    def note_served(self, name: str, endpoint: Endpoint) -> None:
        """Remember that an analyser was served: it may come again even if its host is refused."""
        _put(self._served, (name, endpoint.origin), None)

    def refuse(self, name: str, endpoint: Endpoint, text: str, now: float) -> None:
        """Refuse an analyser by name from now on, and new names from there if it is one of many."""
        _put(self._texts, (name, endpoint.origin), text)
        self._served.pop((name, endpoint.origin), None)
        if not endpoint.is_inbound:
            return
        host = self._hosts.get(endpoint.origin) or _Host()
        _put(self._hosts, endpoint.origin, host)
        _put(host.names, name, None)
        further = len(host.names) - BREAKERS_MAX
        if further >= 0:
            seconds = REFUSED_S_MIN * 2.0 ** min(further, 30)
            host.refused_until = now + min(seconds, REFUSED_S_MAX)

    def reason(self, name: str, endpoint: Endpoint, now: float) -> str:
        """Return why an analyser is refused; empty: it is not."""
        key = (name, endpoint.origin)
        if key in self._texts:
            return self._texts[key]
        host = self._hosts.get(endpoint.origin)
        if host is None or now >= host.refused_until or key in self._served:
            return ""
        left_s = host.refused_until - now
        return (
            f"{len(host.names)} analysers of {endpoint.whence} broke rules: "
            f"no new one of it is taken for {left_s:.0f} s"
        )


def _put(table: dict[K, V], key: K, value: V) -> None:
    """Put an entry behind all others of a bounded table."""
    table.pop(key, None)
    if len(table) >= NAMES_MAX:
        del table[next(iter(table))]
    table[key] = value
