"""How long work may wait without any analyser that can compute it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from master.contract.views import AnalyserLine

CHECK_S = 0.5
"""Between two checks: half a second of a minute is not noticed."""

START_S_MIN = 5.0
"""However short the wait: links are dialled, and lost ones again, sooner."""

REFUSED = ("quarantined", "unsuited")
"""States of analysers that no waiting ends."""

NAMED_MAX = 3
"""Analysers that are named in the one line; there may be a thousand."""


class Patience:
    """Notices that nothing has been computed for too long, for want of an analyser."""

    def __init__(self, wait_s: float) -> None:
        """Start with nothing seen; math.inf waits for ever."""
        self.wait_s = wait_s
        self._bound_s = max(wait_s, START_S_MIN)
        self._since = math.inf

    def is_over(self, *, is_served: bool, now: float, is_hopeless: bool = False) -> bool:
        """Take in the present state; say whether the wait is over.

        Args:
            is_served: a part is computed, or nothing waits.
            now: seconds.
            is_hopeless: no analyser will come, however long its link takes.
        """
        self._since = math.inf if is_served else min(self._since, now)
        self._bound_s = self.wait_s if is_hopeless else max(self.wait_s, START_S_MIN)
        is_over = now - self._since >= self._bound_s
        if is_over:
            self._since = math.inf
        return is_over

    def text(self, lines: Sequence[AnalyserLine]) -> str:
        """Return why nothing goes on, for people."""
        shown = [_shown(line) for line in lines[:NAMED_MAX]]
        if len(lines) > NAMED_MAX:
            shown.append(f"{len(lines) - NAMED_MAX} more")
        named = "; ".join(shown) or "there is none"
        waited = f" for {self._bound_s:g} s" if self._bound_s else ""
        return f"no analyser could be used{waited} ({named})"


def is_computing(lines: Sequence[AnalyserLine]) -> bool:
    """Say whether an analyser has parts in hand, and does not stand still."""
    return any(line.parts > 0 and line.state in ("ready", "draining") for line in lines)


def are_hopeless(lines: Sequence[AnalyserLine]) -> bool:
    """Say whether there are analysers, all of them refused until a user changes something."""
    return bool(lines) and all(line.state in REFUSED for line in lines)


def _shown(line: AnalyserLine) -> str:
    why = line.text or (line.incidents[-1].text if line.incidents else "")
    if line.state == "ready" and not why:
        why = "it cannot compute this, or has nothing to do"
    state = {"suspect": "stands still"}.get(line.state, line.state)
    why = why.removeprefix(f"{state}: ")
    return f"{line.name} {state}{why and f': {why}'}"
